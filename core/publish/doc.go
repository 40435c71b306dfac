// Package publish updates a set of files in a folder while the folder is being served, such as a site. It does not
// touch other files there.
//
// The folder has a list of the written files: name, size and SHA-256. The package replaces or removes a file only if
// the list names it and its bytes still match. Files that others added or changed stay unchanged; if a new file would
// have to replace one, nothing is written at all. It refuses a folder that is not empty and has no list, one that
// contains a repository (.git and the like), and one that contains a file protected by the caller. It never follows
// links within the folder.
//
// The list is in a subfolder, .pmlam-KIND, together with a lock that keeps a second process out, and the files being
// written:
//
//	write all new files to the subfolder → list old and new files → rename the new ones into place, files that name
//	others last → remove the old ones → list the new ones
//
// Each step is synced to disk before the next begins. So wherever a process is killed or the power fails, every file is
// listed, files that name others find them, and the next run completes the work.
//
// In the flow: package server/site writes sites with it, and pmlam similar the lists of all items.
package publish
