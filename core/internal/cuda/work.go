//go:build gpu && linux

package cuda

// Tasks are the tasks that a launch is for: the twin of the struct in kernels/work.h.
type Tasks struct {
	Of    [3]Work
	Count int32
	_     int32
}

// Work is all that a kernel knows of a task: the Go twin of the struct in kernels/work.h, field by field in the same
// order, where each is explained. A zero Ptr is for what a kernel does not look at.
type Work struct {
	// The state.
	Theta, Moment, Variance Ptr
	Grad                    Ptr
	Proxy                   Ptr
	V                       Ptr
	Seen                    Ptr
	X                       Ptr
	Shrunk, Moved           Ptr
	Sources, Source         Ptr
	SourceWeight            Ptr
	Targets, Target         Ptr
	TargetWeight            Ptr

	// What is learned from.
	Pairs     Ptr
	Order     Ptr
	Likes     Ptr
	Liked     Ptr
	JudgedAt  Ptr
	Judged    Ptr
	Near      Ptr
	Neighbour Ptr

	// The batch.
	Rows, OuterRows         Ptr
	Count, Start, Tops      Ptr
	Ticket, Unsorted, Slots Ptr
	Src                     Ptr
	Coef, Self              Ptr
	Dense                   Ptr
	Partial, PartialSelf    Ptr
	Values, DP, DQ          Ptr
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
	Sums, Scales            Ptr
	Starts, Part            Ptr
	PartWeights             Ptr
	Leads, Members          Ptr
	MemberTops              Ptr
	Across                  Ptr
	Products, Tiles, Unit   Ptr

	// Where figures go.
	Tallies Ptr
	Report  Ptr
	Bad     Ptr

	// Ranking.
	UsersAt, ItemsAt Ptr
	Distances        Ptr
	Lists            Ptr
	Nan              Ptr

	Seed, Epoch, Round, NoiseKey uint64

	Users, Items, N, Shift, Dim                           int32
	B, From, Per, Own, SlotCount                          int32
	Anchors, Apart                                        int32
	Negatives, Size, Blocks                               int32
	MembersAt, GroupRow                                   int32
	Task, Softmax, MarginNet, Points, FreeUsers, Composed int32
	Half, Width, PairWidth, HiddenWidth, Hidden, Input    int32
	Number, Candidates, Into                              int32
	Bound, Signed, UnitProxy                              int32
	UserNegatives, OuterBatch                             int32
	RankUsers, Depth                                      int32
	Weight, Margin, Inverse, Alpha, Radius, UserWeight    float32
	Step, Epsilon, PhiStep, PhiEpsilon, Lambda            float32
	Smooth                                                float32
	Check                                                 int32
}

// layoutCheck stands in the last field, where a kernel looks for it.
const layoutCheck = 0x504d4c41
