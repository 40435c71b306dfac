// Types of the elements in the templates of React 19, Preact, Solid, Svelte and Vue. The comments silence the compiler
// about the frameworks that are not installed.

import type { LikeAttributes, LikeElement, RecommendationsAttributes, RecommendationsElement } from "./components.js";

/** Listeners, named as the event with a prefix. */
type On<Prefix extends string, Names extends keyof HTMLElementEventMap> = {
  [Name in Names as `${Prefix}${Name}`]?: (event: HTMLElementEventMap[Name]) => void;
};
type ListEvents = "pmlam-ready" | "pmlam-empty" | "pmlam-error";

type ListOn<Prefix extends string> = RecommendationsAttributes & On<Prefix, ListEvents>;
type LikeOn<Prefix extends string> = LikeAttributes & On<Prefix, "pmlam-like">;

// @ts-ignore
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      "pmlam-recommendations": DetailedHTMLProps<HTMLAttributes<RecommendationsElement>, RecommendationsElement> &
        ListOn<"on">;
      // @ts-ignore
      "pmlam-like": DetailedHTMLProps<HTMLAttributes<LikeElement>, LikeElement> & LikeOn<"on">;
    }
  }
}

// @ts-ignore
declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      "pmlam-recommendations": import("preact").HTMLAttributes<RecommendationsElement> & ListOn<"on">;
      // @ts-ignore
      "pmlam-like": import("preact").HTMLAttributes<LikeElement> & LikeOn<"on">;
    }
  }
}

// @ts-ignore
declare module "solid-js/jsx-runtime" {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      "pmlam-recommendations": HTMLAttributes<RecommendationsElement> & ListOn<"on:">;
      // @ts-ignore
      "pmlam-like": HTMLAttributes<LikeElement> & LikeOn<"on:">;
    }
  }
}

// @ts-ignore
declare module "svelte/elements" {
  interface SvelteHTMLElements {
    // @ts-ignore
    "pmlam-recommendations": HTMLAttributes<RecommendationsElement> & ListOn<"on">;
    // @ts-ignore
    "pmlam-like": HTMLAttributes<LikeElement> & LikeOn<"on">;
  }
}

type Camel<Name> = Name extends `pmlam-${infer Rest}` ? `Pmlam${Capitalize<Rest>}` : never;
type VueOn<Names extends keyof HTMLElementEventMap> = {
  [Name in Names as `on${Camel<Name>}`]?: (event: HTMLElementEventMap[Name]) => void;
};

// @ts-ignore
declare module "vue" {
  interface GlobalComponents {
    "pmlam-recommendations": new () => RecommendationsElement & {
      // @ts-ignore
      $props: import("vue").HTMLAttributes & RecommendationsAttributes & VueOn<ListEvents>;
    };
    "pmlam-like": new () => LikeElement & {
      // @ts-ignore
      $props: import("vue").HTMLAttributes & LikeAttributes & VueOn<"pmlam-like">;
    };
  }
}
