import { shared } from "./shared.js";
export const later = shared + 1;
