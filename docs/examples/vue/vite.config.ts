import vue from "@vitejs/plugin-vue";

const isCustomElement = (tag: string) => tag.startsWith("pmlam-");
export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };
