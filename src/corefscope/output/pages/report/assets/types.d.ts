/* What the scripts of the page hand to each other. The first part is the embedded data: what its values mean is said
   in output/schemas/corefscope-page-1.json. */

import type { TextView } from "./text.js";
import type { DocumentModel } from "./model.js";

/* Embedded data */

export interface Overview {
  headline: string;
  /** Kinds of pieces have a verb that joins them to their chain, those of relations the kind of the relation. */
  kinds: { name: string; title: string; help: string; of: string; verb?: string; relation?: string }[];
  slices: [by: string, value: string][];
  /** By dimension; genres are one of them. */
  dimensions: Record<string, { title: string; names: Record<string, string> }>;
  responses: { name: string; score: number | null; costs: Record<string, number> }[];
  documents: DocumentFacts[];
}
export interface DocumentFacts {
  id: string;
  words: number;
  genre: string;
  scores: (number | null)[];
  faults: number[];
  kinds: number[][];
}
export interface EmbeddedDocument {
  id: string;
  /** Mentions are ids: there are no words. */
  ids?: true;
  s: [id: string, line: number, words: string[], unspaced: number[], glued: number[]][];
  z: [node: number, id: string, variants: Variant[]][];
  key: EmbeddedSide;
  responses: EmbeddedResponse[];
}
export type Variant = [sides: number, form: string, dependencies: string];
export interface EmbeddedSide {
  e: [id: string, type: string, layer?: Layer][];
  m: number[][];
}
export interface EmbeddedResponse extends EmbeddedSide {
  to: number[];
  back: number[];
  p: number[];
  f: [kind: number, line: number, key: number[], response: number[], slices: number[], also: number][];
  how: EmbeddedCalculation[];
  r?: [key: EmbeddedRelation[], response: EmbeddedRelation[]];
}
export type EmbeddedRelation = [kind: string, label: string, anaphor: number, targets: number[][], errors: number[]];
/** Identity is "". What relations need and identity does not score is "unscored". */
export type Layer = "" | "deixis" | "non-referring" | "unscored";
export type EmbeddedCalculation = [
  title: string,
  sections: EmbeddedSection[],
  figures: [name: string, formula: string, value: string, percent: string][],
];
export type EmbeddedSection = [
  title: string,
  columns: string[],
  rows: EmbeddedRow[],
  totals: string[],
  altered: [title: string, entities: number[][]][],
];
export type EmbeddedRow = [level: number, about: string | number | null, pieces: EmbeddedPiece[], terms: string[]];
export type EmbeddedPiece = [mentions: number[], chain: number | null];

/* A document, read */

export interface Sentence {
  id: string;
  line: number;
  number: number;
  start: number;
  end: number;
}
/** Nodes from `start` up to but without `end`; `sentence` is an index. */
export interface Row {
  sentence: number;
  start: number;
  end: number;
}
/** Sides are bits: 1 is the key, 2 the first response, 4 the second. A variant is what some sides say of the node. */
export interface Zero {
  name: string;
  variants: Variant[];
  sides: number;
}
export interface Side {
  bit: number;
  isKey: boolean;
  name: "key" | "response";
  /** Those of identity. */
  chains: Chain[];
  /** Those of all layers, by number. */
  all: Chain[];
  mentions: Mention[];
}
export interface Chain {
  side: Side;
  number: number;
  id: string;
  type: string;
  layer: Layer;
  mentions: Mention[];
  /** The chain of the other side that this one mainly is, and that mainly is this one. */
  partner: Chain | null;
  /** The chains of the other side that hold counterparts of its mentions, most first. */
  links: { chain: Chain; count: number }[];
  /** How many of its mentions have no counterpart. */
  alone: number;
  label: string;
  colour: number;
}
export interface Mention {
  side: Side;
  number: number;
  chain: Chain;
  head: number;
  runs: [first: number, last: number][];
  counterpart: Mention | null;
  errors: DocumentError[];
}
export interface Relation {
  side: Side;
  kind: string;
  label: string;
  anaphor: Mention;
  /** With the errors about each. */
  targets: { mention: Mention; errors: DocumentError[] }[];
  errors: DocumentError[];
}
export interface DocumentError {
  number: number;
  kind: number;
  line: number;
  key: Mention[];
  response: Mention[];
  mentions: Mention[];
  /** Those that it is about, of both sides. */
  relations: Relation[];
}
export interface Compared {
  key: Side;
  response: Side;
  errors: DocumentError[];
  /** Those of the key, then those of the response. */
  relations: Relation[];
}

/* The list of all errors */

export interface ListedError {
  document: number;
  /** In its document, counted from 1. */
  number: number;
  kind: number;
  slices: number[];
  /** The other responses that make it, as bits: 1 is the first. */
  also: number;
  text: string;
  /** 0 without words. */
  sentence: number;
  /** How many mentions it is about. */
  mentions: number;
  /** Their words, and their heads; empty without words. */
  texts: string[];
  heads: string[];
  /** Whether one of them has another head than its first word. */
  headed: boolean;
}
/** A value of a grouping, and its name for people. */
export type GroupValue = [value: string, name: string];
export interface Grouping {
  name: string;
  title: string;
  values: (error: ListedError) => GroupValue[];
  /** The filter without what this grouping chooses; and one that chooses a value, or none. */
  without: (filter: ErrorFilter) => ErrorFilter;
  chosen: (filter: ErrorFilter) => string;
  choose: (value: string) => Partial<ErrorFilter>;
}
export interface ErrorGroup {
  value: string;
  name: string;
  errors: number;
  points: number;
}
export interface ErrorFilter {
  text: string;
  /** −1 for all. */
  document: number;
  /** Dimension and value, as in "distance:6+"; empty for all. */
  slice: string;
  /** The words of a mention, and a head, in small letters; empty for all. */
  mention: string;
  head: string;
  /** A response that makes the error as well, or does not; −1 for all. */
  other: number;
  shared: boolean;
}

/* Marks in the text */

/** The part of a mention that falls into one row. */
export interface Part {
  mention: Mention;
  /** The second mention of the mark, where key and response agree. */
  counterpart?: Mention;
  start: number;
  end: number;
  opens: boolean;
  closes: boolean;
  /** Whether a part of the mention comes before, and whether one comes after. */
  again: boolean;
  more: boolean;
}
/** A mark and what is in it. Where marks cross, one of them is cut into several. */
export interface Mark {
  part: Part;
  opens: boolean;
  closes: boolean;
  more: boolean;
  /** How many marks are nested in it. */
  height: number;
  children: Content[];
}
export type Content = string | { glue: true } | { zero: Zero } | Mark;

/* Arrows */

export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface Curve {
  path: string;
  /** Where it begins and ends, and its middle. */
  from: [x: number, y: number];
  end: [x: number, y: number];
  middle: [x: number, y: number];
  /** Whether it arrives from below. */
  rises: boolean;
}

/* Diagrams */

export interface Lane {
  chain: Chain;
  key: Chain | null;
  response: Chain | null;
}
export interface LaneMark {
  mention: Mention;
  kind: "key" | "found" | "extra";
}
/** A box at the side of the alluvial diagram: a chain, the other chains together, or what has no counterpart. */
export interface Box {
  role: "chain" | "others" | "nothing";
  chain: Chain | null;
  size: number;
  colour: string;
  title: string;
  y: number;
  height: number;
}
export interface Band {
  path: string;
  colour: string;
  title: string;
  chains: Chain[];
}
export interface Diagram {
  width: number;
  height: number;
  margin: number;
  left: Box[];
  right: Box[];
  bands: Band[];
  /** Mentions that flow among chains which have no box of their own. */
  leftOut: number;
}

/* The page */

export interface Opened {
  model: DocumentModel;
  compared: Compared;
  view: TextView;
}
export interface State {
  response: number;
  number: number;
  overlaid: boolean;
  kinds: Set<number>;
  filter: ErrorFilter;
  /** The layers whose mentions are marked. */
  layers: Set<string>;
  /** The kinds of relations that are not shown. */
  hidden: Set<string>;
  /** Which arrows are drawn. */
  arrows: "pointed" | "all" | "none";
  chain: Chain | null;
  error: DocumentError | null;
  allLanes: boolean;
  opened: Opened | null;
  lights: Map<Chain, "lit" | "kin">;
  /** The mention that a key has moved to: which of which chain. */
  step: { chain: Chain | null; at: number };
}
/** What a part of the page calls when something is chosen in it. */
export interface Calls {
  select: (chain: Chain) => void;
  goTo: (mention: Mention) => void;
  link: (error: DocumentError) => string;
}

export type Child = Node | string | false | null | undefined | Child[];
export type Attributes = Record<string, unknown> & {
  on?: Record<string, (event: any) => void>;
  data?: Record<string, unknown>;
};
