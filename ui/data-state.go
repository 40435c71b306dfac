package ui

// DataState is what else is asked and shown under Your data.
type DataState struct {
	*Session
	Version string // of the program
	storage *Storage

	Asked   bool // it is asked what is to be erased
	AboutOn bool // what is known of the model is shown
}

// AskErase asks what is to be erased; KeepAll answers nothing, EraseMarks and EraseAll do it.
func (d *DataState) AskErase() { d.Asked = true }

// KeepAll leaves everything as it is.
func (d *DataState) KeepAll() { d.Asked = false }

// EraseMarks erases all marks of both people, here and in the store, also what was set aside; settings stay.
func (d *DataState) EraseMarks() {
	d.on.erase(true)
	d.storage.eraseStore(eraseMarks)
}

// EraseAll erases everything that this page has ever put on the device.
func (d *DataState) EraseAll() {
	d.on.erase(false)
	d.storage.eraseStore(eraseAll)
}

// ToggleAbout opens or closes what is known of the model.
func (d *DataState) ToggleAbout() { d.AboutOn = !d.AboutOn }
