// Command embed is the recommender for other people's JavaScript: a second program for js/wasm, without a page and
// therefore smaller. The folder package holds the other files of the npm package, which sites also publish in their
// folder embed: pmlam.js loads the program, and pmlam.d.ts documents the API. `make package` assembles them.
//
//	import { open } from "./embed/pmlam.js";
//	const films = await open("models/movielens.msgpack");
//	console.log(films.recommend({ likes: ["6", "1214"], k: 10 }).items);
//
// It takes a model and returns answers. It uses the same recommender and scan as the page and the native program, and
// tests compare the answers.
package main
