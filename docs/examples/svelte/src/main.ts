import { mount } from "svelte";
import App from "./App.svelte";

const item = new URLSearchParams(location.search).get("item") ?? "p1";
mount(App, { target: document.getElementById("app")!, props: { item } });
