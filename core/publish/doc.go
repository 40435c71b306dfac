// Package publish updates a set of files in a folder that is being served meanwhile, such as the folder of a site. It
// leaves all other files there alone.
//
// A folder has a list of the files that were written: name, size and SHA-256. The package replaces or removes a file
// only if the list names it and its bytes are still the listed ones. A file that somebody else put there, or changed,
// stays as it is; where a new file would have to take its place, nothing is written at all. A folder that holds
// something and has no list is refused, and so is one that holds a repository (.git and the like) or a file that the
// caller protects. Links within the folder are never followed.
//
// The list is in a folder within it, .pmlam-KIND, with a lock that keeps a second process out and the files that are
// being written:
//
//	write all new files beside the list → list old and new files → rename the new ones into place, those that name
//	others last → remove the old ones → list the new ones
//
// Each step is on the disk before the next begins. So wherever a process is killed or the power fails, every file is
// listed, the files that name others find them, and the next run completes the work.
//
// In the flow: package server/site writes the site with it, pmlam similar the lists of all items.
package publish
