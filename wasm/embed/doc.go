// Command embed is the recommender for other people's JavaScript: a second program for js/wasm, without a page and so
// smaller than the first. assets/js/loader/pmlam.js loads it and documents what it offers:
//
//	import { open } from "./embed/pmlam.js";
//	const films = await open("models/movielens.msgpack");
//	console.log(films.recommend({ likes: ["Heat", "Alien"], k: 10 }));
//
// In the flow it takes the place of the page: model in, answers out. It uses the same recommender and the same scan, so
// it gives the same answers; the test compares them with the native program's.
package main
