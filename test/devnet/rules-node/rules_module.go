package main

import (
	"context"
	"encoding/json"

	"cosmossdk.io/collections"
	"cosmossdk.io/math"

	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/codec"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/module"
	"github.com/cosmos/cosmos-sdk/types/msgservice"

	gwruntime "github.com/grpc-ecosystem/grpc-gateway/runtime"

	"rollcall.test/rules-node/gen/atomone"
	"rollcall.test/rules-node/gen/epoching"
	"rollcall.test/rules-node/gen/tieredrewards"
)

const rulesName = "rules"

// rulesModule holds the state of everything that x/gov does not have.
type rulesModule struct {
	rule      rule
	positions *positions
	governors *governors
	epochs    *epochs
	steward   collections.Item[[]byte]
}

type rulesGenesis struct {
	// Steward's votes end, prolong or veto a vote.
	Steward string `json:"steward"`
	// EpochLength in blocks.
	EpochLength               uint64 `json:"epoch_length"`
	MinGovernorSelfDelegation string `json:"min_governor_self_delegation"`
}

func (rulesModule) IsOnePerModuleType() {}
func (rulesModule) IsAppModule()        {}
func (rulesModule) Name() string        { return rulesName }

func (rulesModule) ConsensusVersion() uint64                                      { return 1 }
func (rulesModule) RegisterLegacyAminoCodec(*codec.LegacyAmino)                   {}
func (rulesModule) RegisterGRPCGatewayRoutes(client.Context, *gwruntime.ServeMux) {}

func (rulesModule) RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	msgservice.RegisterMsgServiceDesc(registry, &atomone.Msg_serviceDesc)
	msgservice.RegisterMsgServiceDesc(registry, &epoching.Msg_serviceDesc)
	msgservice.RegisterMsgServiceDesc(registry, &tieredrewards.Msg_serviceDesc)
}

func (m rulesModule) RegisterServices(cfg module.Configurator) {
	epoching.RegisterMsgServer(cfg.MsgServer(), m.epochs)
	if m.rule == ruleExtra {
		tieredrewards.RegisterQueryServer(cfg.QueryServer(), m.positions)
		tieredrewards.RegisterMsgServer(cfg.MsgServer(), m.positions)
	}
}

func (rulesModule) DefaultGenesis(codec.JSONCodec) json.RawMessage {
	text, err := json.Marshal(rulesGenesis{EpochLength: 1_000_000, MinGovernorSelfDelegation: "1"})
	if err != nil {
		panic(err)
	}
	return text
}

func (rulesModule) ValidateGenesis(_ codec.JSONCodec, _ client.TxEncodingConfig, text json.RawMessage) error {
	return json.Unmarshal(text, &rulesGenesis{})
}

func (m rulesModule) InitGenesis(ctx sdk.Context, _ codec.JSONCodec, text json.RawMessage) {
	genesis := rulesGenesis{}
	if err := json.Unmarshal(text, &genesis); err != nil {
		panic(err)
	}
	minimum, ok := math.NewIntFromString(genesis.MinGovernorSelfDelegation)
	if !ok {
		panic("min_governor_self_delegation is not a number")
	}
	steward := []byte{}
	if genesis.Steward != "" {
		steward = sdk.MustAccAddressFromBech32(genesis.Steward)
	}
	for _, err := range []error{
		m.governors.minimum.Set(ctx, minimum),
		m.epochs.length.Set(ctx, genesis.EpochLength),
		m.steward.Set(ctx, steward),
	} {
		if err != nil {
			panic(err)
		}
	}
}

func (m rulesModule) ExportGenesis(sdk.Context, codec.JSONCodec) json.RawMessage {
	panic("the state of this chain is not exported")
}

func (m rulesModule) EndBlock(ctx context.Context) error {
	return m.epochs.endBlock(sdk.UnwrapSDKContext(ctx))
}
