// @ts-check
/* Groups of errors: by the mention and its head, by the dimensions of slices, and by document. An error of several
   mentions is in the groups of all of them. The points of a class are divided among its errors by their numbers of
   mentions, and those of an error equally among its groups: as `corefscope errors` does. */

/** @import { ErrorGroup, Grouping, GroupValue, ListedError, Overview } from "./types.d.ts" */

/** The groupings that come first, in this order; the others follow as dimensions do. */
const FIRST = ["text", "head", "mention-type", "distance", "document"];

/** Values without those that differ in capitals only. @param {string[]} words @returns {GroupValue[]} */
const spelled = (words) => [...new Map(words.map((word) => [word.toLowerCase(), word]))];

/**
 * By words of the mentions, or by their heads.
 * @param {string} name
 * @param {string} title
 * @param {"mention" | "head"} field
 * @param {(error: ListedError) => string[]} words
 * @returns {Grouping}
 */
const byWords = (name, title, field, words) => ({
  ...{ name, title },
  values: (error) => spelled(words(error)),
  without: (filter) => ({ ...filter, [field]: "" }),
  chosen: (filter) => filter[field],
  choose: (value) => ({ [field]: value }),
});

/** @param {Overview} overview @returns {Grouping} */
const byDocuments = ({ documents }) => ({
  ...{ name: "document", title: "document" },
  values: ({ document }) => [[String(document), documents[document].id]],
  without: (filter) => ({ ...filter, document: -1 }),
  chosen: ({ document }) => (document < 0 ? "" : String(document)),
  choose: (value) => ({ document: value === "" ? -1 : Number(value) }),
});

/** @param {Overview} overview @param {string} by @returns {Grouping} */
function bySlices({ slices, dimensions, documents }, by) {
  const { title, names } = dimensions[by];
  /** By the number of a slice, its value if it is one of this dimension. */
  const own = slices.map(([dimension, value]) => (dimension === by ? value : null));
  const prefix = `${by}:`;
  return {
    ...{ name: by, title },
    values: (error) => {
      const values = error.slices.flatMap((number) => own[number] ?? []);
      return (by === "genre" ? [documents[error.document].genre] : values).map((value) => [value, names[value]]);
    },
    without: (filter) => ({ ...filter, slice: filter.slice.startsWith(prefix) ? "" : filter.slice }),
    chosen: ({ slice }) => (slice.startsWith(prefix) ? slice.slice(prefix.length) : ""),
    choose: (value) => ({ slice: value && prefix + value }),
  };
}

/**
 * The groupings that these errors have values for.
 * @param {Overview} overview
 * @param {ListedError[]} errors of a response
 * @returns {Grouping[]}
 */
export function groupingsOf(overview, errors) {
  const words = errors.some(({ texts }) => texts.length > 0);
  const several = Object.entries(overview.dimensions).filter(([, { names }]) => Object.keys(names).length > 1);
  const found = several.map(([by]) => bySlices(overview, by));
  if (words) found.push(byWords("text", "mention", "mention", ({ texts }) => texts));
  if (errors.some(({ headed }) => headed)) found.push(byWords("head", "head", "head", ({ heads }) => heads));
  if (overview.documents.length > 1) found.push(byDocuments(overview));
  const rank = (/** @type {Grouping} */ { name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return found.sort((a, b) => rank(a) - rank(b));
}

/**
 * The points of one mention of an error of each kind, by the number of the kind.
 * @param {Overview} overview
 * @param {number} response
 * @param {ListedError[]} errors all of the response
 */
export function pointsOfMentions({ kinds, responses }, response, errors) {
  const { costs } = responses[response];
  /** @type {Map<string, number>} */
  const mentions = new Map();
  for (const error of errors) {
    const { of } = kinds[error.kind];
    mentions.set(of, (mentions.get(of) || 0) + error.mentions);
  }
  return kinds.map(({ of }) => (costs[of] || 0) / (mentions.get(of) || 1));
}

/**
 * The groups of errors, those with most of them first.
 * @param {ListedError[]} errors
 * @param {Grouping} grouping
 * @param {number[]} points of one mention of an error of each kind
 * @returns {ErrorGroup[]}
 */
export function groupsOf(errors, grouping, points) {
  /** @type {Map<string, ErrorGroup & { spellings: Map<string, number> }>} */
  const groups = new Map();
  for (const error of errors) {
    const values = grouping.values(error);
    for (const [value, name] of values) {
      const group = groups.get(value) || { value, name, errors: 0, points: 0, spellings: new Map() };
      groups.set(value, group);
      group.errors += 1;
      group.points += (points[error.kind] * error.mentions) / values.length;
      group.spellings.set(name, (group.spellings.get(name) || 0) + 1);
    }
  }
  const found = [...groups.values()].map(({ spellings, ...group }) => {
    const [[name]] = [...spellings].sort((a, b) => b[1] - a[1]);
    return { ...group, name };
  });
  return found.sort((a, b) => b.errors - a.errors || b.points - a.points);
}
