/**
 * - `option`: a wrong argument; `option` names it where it is an option
 * - `unknown-item`: no item has that id, or no title is like that one
 * - `file`: the program or the model could not be fetched or read
 * - `model`: the file is no model, or it is damaged
 * - `program`: the program could not be compiled or started
 * - `no-webassembly`: the engine has none
 * - `closed`: the model was closed
 * - `stopped`: the program has failed; opening the model again starts another
 * - `internal`: a fault of this package, which ended this call alone; please report it
 * - `profile`: a mark, or what was exported, is not as it has to be
 * - `log`: a list, an item, an experiment or a variant is not named as it has to be
 */
export type ErrorCode =
  | "option"
  | "unknown-item"
  | "file"
  | "model"
  | "program"
  | "no-webassembly"
  | "closed"
  | "stopped"
  | "internal"
  | "profile"
  | "log";

/** Whatever this package throws. The message is a sentence. */
export class RecommenderError extends Error {
  private constructor();
  readonly name: "RecommenderError";
  readonly code: ErrorCode;
  /** The option that is wrong, or null. */
  readonly option: string | null;
}
