//go:build gpu && linux

package cuda

// Tasks are the tasks of a launch. The struct equals the one in kernels/work.h.
type Tasks struct {
	Of    [3]Work
	Count int32
	_     int32
}

// Work is the input of a kernel for one task. It has the same parts and fields, in the same order, as the struct in
// kernels/work.h, which documents them. A Ptr that a kernel does not use is zero.
type Work struct {
	State
	Shrinkage
	Data
	Terms
	Losses
	Network
	Composition
	Sharing
	UnitLength
	Figures
	Ranking
	Seeds
	Sizes
	BatchSizes
	Kind
	Widths
	Progress
	Rules
	RankingSizes
	Rates
	Check int32
}

// The parts of Work, as in kernels/work.h.
type (
	State struct {
		Theta, Moment, Variance Ptr
		Grad                    Ptr
		Proxy                   Ptr
		V                       Ptr
		Seen                    Ptr
		X                       Ptr
	}

	Shrinkage struct {
		Shrunk, Moved   Ptr
		Sources, Source Ptr
		SourceWeight    Ptr
		Targets, Target Ptr
		TargetWeight    Ptr
	}

	Data struct {
		Pairs     Ptr
		Order     Ptr
		Likes     Ptr
		Liked     Ptr
		JudgedAt  Ptr
		Judged    Ptr
		Near      Ptr
		Neighbour Ptr
	}

	Terms struct {
		Rows, OuterRows         Ptr
		Count, Start, Tops      Ptr
		Ticket, Unsorted, Slots Ptr
		Src                     Ptr
		Coef, Self              Ptr
		Dense                   Ptr
		Partial, PartialSelf    Ptr
	}

	Losses struct {
		Values, DP, DQ Ptr
	}

	Network struct {
		Eps                     Ptr
		PairIn, In              Ptr
		Pre, G                  Ptr
		Margins, Sigma, Active  Ptr
		E, D                    Ptr
		SumE, SumD              Ptr
		PairOut, Out            Ptr
		PairW2, PairB2          Ptr
		PartP, PartQ, PartSmall Ptr
		Phi, PhiM, PhiV, PhiOld Ptr
		P, PT, Q, QT, Small     Ptr
	}

	Composition struct {
		Sums, Scales   Ptr
		Starts, Part   Ptr
		PartWeights    Ptr
		Leads, Members Ptr
		MemberTops     Ptr
	}

	Sharing struct {
		Across Ptr
	}

	UnitLength struct {
		Products, Tiles, Unit Ptr
	}

	Figures struct {
		Tallies Ptr
		Report  Ptr
		Bad     Ptr
	}

	Ranking struct {
		UsersAt, ItemsAt Ptr
		Distances        Ptr
		Lists            Ptr
		Nan              Ptr
	}

	Seeds struct {
		Seed, Epoch, Round, NoiseKey uint64
	}

	Sizes struct {
		Users, Items, N, Shift, Dim int32
	}

	BatchSizes struct {
		B, From, Per, Own, SlotCount int32
		Anchors, Apart               int32
		Negatives, Size, Blocks      int32
		MembersAt, GroupRow          int32
	}

	Kind struct {
		Task, Softmax, MarginNet, Points, FreeUsers, Composed int32
	}

	Widths struct {
		Half, Width, PairWidth, HiddenWidth, Hidden, Input int32
	}

	Progress struct {
		Number, Candidates, Into int32
	}

	Rules struct {
		Bound, Signed, UnitProxy  int32
		UserNegatives, OuterBatch int32
	}

	RankingSizes struct {
		RankUsers, Depth int32
	}

	Rates struct {
		Weight, Margin, Inverse, Alpha, Radius, UserWeight float32
		Step, Epsilon, PhiStep, PhiEpsilon, Lambda         float32
		Smooth, Power                                      float32
	}
)

// layoutCheck is the value of the last field, where a kernel looks for it.
const layoutCheck = 0x504d4c41
