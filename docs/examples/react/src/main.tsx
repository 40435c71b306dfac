import { createRoot } from "react-dom/client";
import App from "./App";

const item = new URLSearchParams(location.search).get("item") ?? "p1";
createRoot(document.getElementById("app")!).render(<App item={item} />);
