/* What the page, its worker and Python hand to each other. */

export interface Chosen {
  key: File[];
  responses: File[];
}
/** Files at their paths, and what Python is asked about. */
export interface Placed {
  key: string;
  responses: string[];
  /** The names of systems, if there are several keys. */
  names?: string[];
  files: { path: string; file: File; side: keyof Chosen }[];
}
export interface State {
  /** Why nothing will ever work here. */
  trouble: string;
  /** Why these files cannot be scored. */
  refused: string;
  /** What was done with what was dropped. */
  remark: string;
  busy: boolean;
  ready: boolean;
  complete: boolean;
}
export interface Question {
  /** Other files or options have another number. */
  batch: number;
  job: string;
  files: Chosen;
  options: Record<string, string>;
  /** Of a file to be saved, with the number of the result. */
  format?: string;
  result?: number;
}
export interface Answer {
  error?: string;
  /** Whether the error is in the files, so that validation may find more of them. */
  in_files?: boolean;
  text?: string;
  /** The names of responses, and why a page leaves some of them out. */
  names?: string[];
  failures?: Failure[];
  parts?: Part[];
}
/** Why a response, or a file of it, has no result. */
export interface Failure {
  name: string;
  message: string;
  in_files: boolean;
}
/** What `output/pages/app/worker_api` makes of a layout. */
export interface Part {
  name: string;
  failures: Failure[];
  settings: { option: string; value: string; meaning: string; reason: string }[];
  /** Whether there is a result to save. */
  complete: boolean;
  warnings: string[];
  blocks: Block[];
  /** The scores of each file, if there are several. */
  files: Block[];
  notes: string[];
  signatures: string[];
}
export type Block = { lines: [text: string, style: string][][] } | { sheets: Sheet[] };
export interface Sheet {
  title: string;
  note: string;
  left: number;
  head: string[];
  rows: { strong: boolean; cells: [text: string, bold: boolean, note: string, mark: string][] }[];
}
export type FromWorker =
  | { kind: "ready" }
  | { kind: "unable"; message: string }
  | { kind: "broken"; message: string }
  | { kind: "progress"; done: number; of: number; name: string }
  | { kind: "done"; number: number; answer: Answer };
export interface WorkerLike {
  postMessage(message: Question & { number: number }): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}
/** What the worker uses of Pyodide. */
export interface Pyodide {
  FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, content: Uint8Array): void;
    chdir(path: string): void;
  };
  unpackArchive(content: ArrayBuffer, format: string, options: { extractDir: string }): void;
  pyimport(name: "shutil"): { rmtree(path: string): void };
  pyimport(name: string): { WorkerApi(): WorkerApi };
}
export interface WorkerApi {
  answer(question: string, progress: (done: number, of: number, name: string) => void): string;
}
