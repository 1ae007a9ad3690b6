/* What the scripts of the leaderboard hand to each other. */

export interface Choice {
  /** The number of the setting. */
  setting: number;
  /** The number of the language or group; -1 for all data sets. */
  part: number;
}
export interface ColumnData {
  /** The number of the part that the column is the average of. */
  part?: string;
  /** The numbers of the parts that the data set is in. */
  parts?: string;
}
