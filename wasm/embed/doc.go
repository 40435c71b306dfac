// Command embed is the recommender for other people's JavaScript: a second program for js/wasm, without a page and so
// smaller than the first. The folder package holds what is published to npm beside it, and in a site's folder embed:
// pmlam.js loads it and pmlam.d.ts documents what it offers. `make package` puts all of it together.
//
//	import { open } from "./embed/pmlam.js";
//	const films = await open("models/movielens.msgpack");
//	console.log(films.recommend({ likes: ["6", "1214"], k: 10 }).items);
//
// In the flow it takes the place of the page: model in, answers out. It uses the same recommender and the same scan, so
// it gives the same answers; the test compares them with the native program's.
package main
