// Package sampling draws what a training by gradient descent needs: orders of pairs, negatives, candidates.
//
// Every random number is a function of a seed, of what it is for (a stream) and of a counter. So none depends on what
// another one took, nothing depends on the number of workers, and a checkpoint holds nothing of a generator.
//
// In the flow: pmlam and the trained baselines draw from here.
package training
