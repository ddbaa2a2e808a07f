package main

import (
	"context"
	"errors"

	"cosmossdk.io/collections"
	"github.com/cosmos/gogoproto/grpc"
	googlegrpc "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/module"
	"github.com/cosmos/cosmos-sdk/types/query"
	"github.com/cosmos/cosmos-sdk/x/gov"
	govkeeper "github.com/cosmos/cosmos-sdk/x/gov/keeper"
	govv1 "github.com/cosmos/cosmos-sdk/x/gov/types/v1"

	"rollcall.test/rules-node/gen/atomone"
)

// atomoneGov is x/gov under AtomOne's name: its own queries are not registered, as on AtomOne v1 to v3.
type atomoneGov struct {
	gov.AppModule
	keeper    *govkeeper.Keeper
	registry  codectypes.InterfaceRegistry
	governors *governors
	rule      rule
}

func (g atomoneGov) RegisterServices(cfg module.Configurator) {
	g.AppModule.RegisterServices(withQueries{cfg, noServer{}})
	queries := atomoneQueries{govkeeper.NewQueryServer(g.keeper), g.keeper, g.governors, g.rule}
	atomone.RegisterQueryServer(visibleServer{cfg.QueryServer(), g.rule}, queries)
	atomone.RegisterMsgServer(cfg.MsgServer(), atomoneMessages{g.governors, govkeeper.NewMsgServerImpl(g.keeper), g.registry})
}

// withQueries registers the queries of a module elsewhere.
type withQueries struct {
	module.Configurator
	queries grpc.Server
}

func (c withQueries) QueryServer() grpc.Server { return c.queries }

type noServer struct{}

func (noServer) RegisterService(*googlegrpc.ServiceDesc, any) {}

// visibleServer registers the methods that a chain with the rule has.
type visibleServer struct {
	grpc.Server
	rule rule
}

func (s visibleServer) RegisterService(service *googlegrpc.ServiceDesc, handler any) {
	visible := *service
	visible.Methods = nil
	for _, method := range service.Methods {
		if !s.rule.hidesMethod(method.MethodName) {
			visible.Methods = append(visible.Methods, method)
		}
	}
	s.Server.RegisterService(&visible, handler)
}

type message interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// convert reads a message as another one: both have the same numbers, and what only one has is dropped.
func convert[To message](from message, to To) (To, error) {
	bytes, err := from.Marshal()
	if err != nil {
		return to, err
	}
	return to, to.Unmarshal(bytes)
}

type atomoneMessages struct {
	*governors
	gov      govv1.MsgServer
	registry codectypes.InterfaceRegistry
}

func (m atomoneMessages) SubmitProposal(
	ctx context.Context, msg *atomone.MsgSubmitProposal,
) (*atomone.MsgSubmitProposalResponse, error) {
	theirs, err := convert(msg, &govv1.MsgSubmitProposal{})
	if err != nil {
		return nil, err
	}
	if err := theirs.UnpackInterfaces(m.registry); err != nil {
		return nil, err
	}
	answer, err := m.gov.SubmitProposal(ctx, theirs)
	if err != nil {
		return nil, err
	}
	return &atomone.MsgSubmitProposalResponse{ProposalId: answer.ProposalId}, nil
}

func (m atomoneMessages) Vote(ctx context.Context, msg *atomone.MsgVote) (*atomone.MsgVoteResponse, error) {
	theirs, err := convert(msg, &govv1.MsgVote{})
	if err == nil {
		_, err = m.gov.Vote(ctx, theirs)
	}
	return &atomone.MsgVoteResponse{}, err
}

func (m atomoneMessages) VoteWeighted(
	ctx context.Context, msg *atomone.MsgVoteWeighted,
) (*atomone.MsgVoteWeightedResponse, error) {
	theirs, err := convert(msg, &govv1.MsgVoteWeighted{})
	if err == nil {
		_, err = m.gov.VoteWeighted(ctx, theirs)
	}
	return &atomone.MsgVoteWeightedResponse{}, err
}

type atomoneQueries struct {
	gov       govv1.QueryServer
	keeper    *govkeeper.Keeper
	governors *governors
	rule      rule
}

// ask converts a request, passes it on, and converts the answer.
func ask[Request, Answer, Converted message](
	ctx context.Context,
	query func(context.Context, Request) (Answer, error),
	asked message, theirs Request, converted Converted,
) (Converted, error) {
	request, err := convert(asked, theirs)
	if err != nil {
		return converted, err
	}
	answer, err := query(ctx, request)
	if err != nil {
		return converted, err
	}
	return convert(answer, converted)
}

// Numbers 14 and 15 of a proposal mean something else on AtomOne.
func withoutExpedited(proposal *govv1.Proposal) {
	proposal.Expedited, proposal.FailedReason = false, ""
}

func (q atomoneQueries) Proposal(
	ctx context.Context, asked *atomone.QueryProposalRequest,
) (*atomone.QueryProposalResponse, error) {
	query := func(ctx context.Context, request *govv1.QueryProposalRequest) (*govv1.QueryProposalResponse, error) {
		answer, err := q.gov.Proposal(ctx, request)
		if err == nil {
			withoutExpedited(answer.Proposal)
		}
		return answer, err
	}
	return ask(ctx, query, asked, &govv1.QueryProposalRequest{}, &atomone.QueryProposalResponse{})
}

func (q atomoneQueries) Proposals(
	ctx context.Context, asked *atomone.QueryProposalsRequest,
) (*atomone.QueryProposalsResponse, error) {
	query := func(ctx context.Context, request *govv1.QueryProposalsRequest) (*govv1.QueryProposalsResponse, error) {
		answer, err := q.gov.Proposals(ctx, request)
		if err == nil {
			for _, proposal := range answer.Proposals {
				withoutExpedited(proposal)
			}
		}
		return answer, err
	}
	return ask(ctx, query, asked, &govv1.QueryProposalsRequest{}, &atomone.QueryProposalsResponse{})
}

func (q atomoneQueries) Vote(
	ctx context.Context, asked *atomone.QueryVoteRequest,
) (*atomone.QueryVoteResponse, error) {
	return ask(ctx, q.gov.Vote, asked, &govv1.QueryVoteRequest{}, &atomone.QueryVoteResponse{})
}

func (q atomoneQueries) Votes(
	ctx context.Context, asked *atomone.QueryVotesRequest,
) (*atomone.QueryVotesResponse, error) {
	return ask(ctx, q.gov.Votes, asked, &govv1.QueryVotesRequest{}, &atomone.QueryVotesResponse{})
}

func (q atomoneQueries) Deposits(
	ctx context.Context, asked *atomone.QueryDepositsRequest,
) (*atomone.QueryDepositsResponse, error) {
	return ask(ctx, q.gov.Deposits, asked, &govv1.QueryDepositsRequest{}, &atomone.QueryDepositsResponse{})
}

func (q atomoneQueries) TallyResult(
	ctx context.Context, asked *atomone.QueryTallyResultRequest,
) (*atomone.QueryTallyResultResponse, error) {
	return ask(ctx, q.gov.TallyResult, asked, &govv1.QueryTallyResultRequest{}, &atomone.QueryTallyResultResponse{})
}

// Params are written as on AtomOne. Its quorum moves between two limits; here both are x/gov's quorum.
func (q atomoneQueries) Params(
	ctx context.Context, _ *atomone.QueryParamsRequest,
) (*atomone.QueryParamsResponse, error) {
	params, err := q.keeper.Params.Get(ctx)
	if err != nil {
		return nil, err
	}
	quorum := &atomone.QuorumRange{Min: params.Quorum, Max: params.Quorum}
	answer := &atomone.Params{
		MinDeposit:                       params.MinDeposit,
		MaxDepositPeriod:                 params.MaxDepositPeriod,
		VotingPeriod:                     params.VotingPeriod,
		Threshold:                        params.Threshold,
		BurnVoteQuorum:                   params.BurnVoteQuorum,
		BurnProposalDepositPrevote:       params.BurnProposalDepositPrevote,
		MinDepositRatio:                  params.MinDepositRatio,
		ConstitutionAmendmentThreshold:   params.Threshold,
		LawThreshold:                     params.Threshold,
		QuorumRange:                      quorum,
		ConstitutionAmendmentQuorumRange: quorum,
		LawQuorumRange:                   quorum,
		BurnDepositNoThreshold:           params.Threshold,
	}
	if q.rule == ruleGovernors {
		minimum, err := q.governors.minimum.Get(ctx)
		if err != nil {
			return nil, err
		}
		answer.MinGovernorSelfDelegation = minimum.String()
	}
	return &atomone.QueryParamsResponse{Params: answer}, nil
}

func (q atomoneQueries) Quorums(
	ctx context.Context, _ *atomone.QueryQuorumsRequest,
) (*atomone.QueryQuorumsResponse, error) {
	params, err := q.keeper.Params.Get(ctx)
	return &atomone.QueryQuorumsResponse{
		Quorum: params.Quorum, ConstitutionAmendmentQuorum: params.Quorum, LawQuorum: params.Quorum,
	}, err
}

func (q atomoneQueries) Governor(
	ctx context.Context, asked *atomone.QueryGovernorRequest,
) (*atomone.QueryGovernorResponse, error) {
	account, err := accountOf(asked.GovernorAddress)
	if err != nil {
		return nil, err
	}
	governor, err := q.governors.all.Get(ctx, account)
	if errors.Is(err, collections.ErrNotFound) {
		return nil, status.Errorf(codes.NotFound, "governor %s does not exist", asked.GovernorAddress)
	}
	return &atomone.QueryGovernorResponse{Governor: &governor}, err
}

func (q atomoneQueries) Governors(
	ctx context.Context, asked *atomone.QueryGovernorsRequest,
) (*atomone.QueryGovernorsResponse, error) {
	toAnswer := func(_ sdk.AccAddress, governor atomone.Governor) (*atomone.Governor, error) { return &governor, nil }
	found, page, err := query.CollectionPaginate(ctx, q.governors.all, asked.Pagination, toAnswer)
	return &atomone.QueryGovernorsResponse{Governors: found, Pagination: page}, err
}

func (q atomoneQueries) GovernanceDelegations(
	ctx context.Context, asked *atomone.QueryGovernanceDelegationsRequest,
) (*atomone.QueryGovernanceDelegationsResponse, error) {
	account, err := accountOf(asked.GovernorAddress)
	if err != nil {
		return nil, err
	}
	found, err := q.governors.delegators(ctx, account)
	page := &query.PageResponse{Total: uint64(len(found))}
	return &atomone.QueryGovernanceDelegationsResponse{Delegations: found, Pagination: page}, err
}

func (q atomoneQueries) GovernanceDelegation(
	ctx context.Context, asked *atomone.QueryGovernanceDelegationRequest,
) (*atomone.QueryGovernanceDelegationResponse, error) {
	account, err := sdk.AccAddressFromBech32(asked.DelegatorAddress)
	if err != nil {
		return nil, err
	}
	found, err := q.governors.chosen.Get(ctx, account)
	if errors.Is(err, collections.ErrNotFound) {
		return nil, status.Errorf(codes.NotFound, "governance delegation for %s does not exist", asked.DelegatorAddress)
	}
	return &atomone.QueryGovernanceDelegationResponse{GovernorAddress: found.GovernorAddress}, err
}

func (q atomoneQueries) GovernorValShares(
	ctx context.Context, asked *atomone.QueryGovernorValSharesRequest,
) (*atomone.QueryGovernorValSharesResponse, error) {
	found, err := q.governors.valShares(ctx, asked.GovernorAddress)
	page := &query.PageResponse{Total: uint64(len(found))}
	return &atomone.QueryGovernorValSharesResponse{ValShares: found, Pagination: page}, err
}
