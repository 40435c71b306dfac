import { createApp } from "vue";
import App from "./App.vue";

const item = new URLSearchParams(location.search).get("item") ?? "p1";
createApp(App, { item }).mount("#app");
