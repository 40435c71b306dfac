/**
 * The kind of a {@link RecommenderError}:
 * - `option`: an argument is invalid; `option` names the field, if there is one
 * - `unknown-item`: the model does not have the item or a similar title
 * - `file`: the program or the model could not be fetched or read
 * - `model`: the file is not a model, or is damaged
 * - `program`: the program could not be compiled or started
 * - `no-webassembly`: WebAssembly is missing or disabled
 * - `closed`: the model is closed
 * - `stopped`: the program has failed; open the model again to restart it
 * - `internal`: a bug in this package, which affects only this call; please report it
 * - `profile`: a mark or an exported profile is invalid
 * - `log`: a list, an item, an experiment or a variant is invalid
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

/** The error type of this package. */
export class RecommenderError extends Error {
  private constructor();
  readonly name: "RecommenderError";
  readonly code: ErrorCode;
  /** The name of the invalid option, or null. */
  readonly option: string | null;
}
