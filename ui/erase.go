package ui

// AskErase asks what is to be erased; KeepAll answers nothing, EraseSaid and EraseAll do it.
func (p *Page) AskErase() { p.Erasing = true }

// KeepAll leaves everything as it is.
func (p *Page) KeepAll() { p.Erasing = false }

// EraseSaid forgets what the visitor said, here and in the store, also what was set aside; settings stay.
func (p *Page) EraseSaid() { p.eraseAs(eraseMarks) }

// EraseAll forgets everything that this page has ever put on the device.
func (p *Page) EraseAll() { p.eraseAs(eraseAll) }

func (p *Page) eraseAs(what erasing) {
	p.forgetAll(what == eraseMarks)
	if p.keeper.store == nil {
		p.announce(p.W.Erased)
		return
	}
	p.keeper.erase = what
	p.work()
}

// forgetAll makes the page that of somebody who has never been here.
func (p *Page) forgetAll(butSettings bool) {
	settings := p.Log.Settings
	p.Log.Erase(butSettings)
	p.keeper.dirty = false
	p.look(&settings)
	p.Naming, p.typed = false, ""
	p.Opened = nil
	p.Erasing, p.Undo = false, nil
	p.forgetImport()
	p.forgetReceived()
	p.Sharing = Sharing{}
	p.notice(noticeNone)
	if p.View.Kind != OwnView {
		setAddress("")
		setTitle("")
	}
	p.View, p.Instead = View{}, nil
	p.Similar, p.Selected, p.Why, p.Shown = -1, -1, -1, pageSize
	p.Query, p.Found = "", nil
	p.starters = 0
	p.Starters = p.Engine.Starters(startersOf, 0)
	p.Tab = TabNext
	p.feed.dirty |= feedAll
	p.refresh(false)
}

// erased is called when the store was asked to erase.
func (p *Page) erased(what erasing, err error) {
	k := &p.keeper
	k.erase = eraseNothing
	if err != nil {
		p.notice(noticeErase)
		return
	}
	k.dirty = k.dirty || what == eraseMarks && !p.Log.Settings.Same(&Settings{})
	p.announce(p.W.Erased)
	p.figures()
}
