package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	abci "github.com/cometbft/cometbft/abci/types"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/gogoproto/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	reflectionv1 "cosmossdk.io/api/cosmos/reflection/v1"
	"cosmossdk.io/collections"
	corestore "cosmossdk.io/core/store"
	"cosmossdk.io/log/v2"

	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/client/grpc/cmtservice"
	nodeservice "github.com/cosmos/cosmos-sdk/client/grpc/node"
	"github.com/cosmos/cosmos-sdk/codec"
	"github.com/cosmos/cosmos-sdk/codec/address"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/runtime"
	"github.com/cosmos/cosmos-sdk/server"
	"github.com/cosmos/cosmos-sdk/server/api"
	serverconfig "github.com/cosmos/cosmos-sdk/server/config"
	"github.com/cosmos/cosmos-sdk/std"
	storetypes "github.com/cosmos/cosmos-sdk/store/v2/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/module"
	"github.com/cosmos/cosmos-sdk/x/auth"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtx "github.com/cosmos/cosmos-sdk/x/auth/tx"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	"github.com/cosmos/cosmos-sdk/x/bank"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	"github.com/cosmos/cosmos-sdk/x/consensus"
	consensuskeeper "github.com/cosmos/cosmos-sdk/x/consensus/keeper"
	consensustypes "github.com/cosmos/cosmos-sdk/x/consensus/types"
	"github.com/cosmos/cosmos-sdk/x/gov"
	govkeeper "github.com/cosmos/cosmos-sdk/x/gov/keeper"
	govtypes "github.com/cosmos/cosmos-sdk/x/gov/types"
	"github.com/cosmos/cosmos-sdk/x/slashing"
	slashingkeeper "github.com/cosmos/cosmos-sdk/x/slashing/keeper"
	slashingtypes "github.com/cosmos/cosmos-sdk/x/slashing/types"
	"github.com/cosmos/cosmos-sdk/x/staking"
	stakingkeeper "github.com/cosmos/cosmos-sdk/x/staking/keeper"
	stakingtypes "github.com/cosmos/cosmos-sdk/x/staking/types"
	"github.com/cosmos/cosmos-sdk/x/tx/signing"
	upgradekeeper "github.com/cosmos/cosmos-sdk/x/upgrade/keeper"
	upgradetypes "github.com/cosmos/cosmos-sdk/x/upgrade/types"
)

const (
	appName       = "rules-node"
	accountPrefix = "rules"
)

// rule is a way to count, and the services that a chain with it has.
type rule string

const (
	// ruleGov is x/gov of Cosmos SDK 0.54, unchanged.
	ruleGov rule = "gov"
	// ruleExtra adds stake outside the voter's own delegations, as on Cronos POS v7.
	ruleExtra rule = "extra"
	// ruleGovernors has governors instead of operators, and no veto, as AtomOne v4.
	ruleGovernors rule = "governors"
	// ruleAlone counts the own stake of each voter alone, without a veto, as AtomOne v1 to v3.
	ruleAlone rule = "alone"
	// ruleTwice counts every delegation two times, as Shentu v2.12.
	ruleTwice rule = "twice"
)

// isAtomone says whether queries and messages have AtomOne's names.
func (r rule) isAtomone() bool { return r == ruleGovernors || r == ruleAlone }

// hides says whether a chain with this rule has nothing of a protobuf package, although the binary does.
func (r rule) hides(protoPackage string) bool {
	switch {
	case strings.HasPrefix(protoPackage, "chainmain."):
		return r != ruleExtra
	case strings.HasPrefix(protoPackage, "atomone."):
		return !r.isAtomone()
	}
	return false
}

// hidesMethod says whether a chain with this rule has nothing of a method: AtomOne had no governors before v4.
func (r rule) hidesMethod(name string) bool {
	return r == ruleAlone && strings.HasPrefix(name, "Govern")
}

type app struct {
	*baseapp.BaseApp
	cdc      codec.Codec
	amino    *codec.LegacyAmino
	registry codectypes.InterfaceRegistry
	txConfig client.TxConfig
	modules  *module.Manager
	basics   module.BasicManager
	// upgrades tells the versions of the modules, and does nothing else.
	upgrades *upgradekeeper.Keeper
}

// noCommunityPool burns nothing and pays no account: x/gov asks for it only if a canceled deposit goes there.
type noCommunityPool struct{}

func (noCommunityPool) FundCommunityPool(context.Context, sdk.Coins, sdk.AccAddress) error {
	return errors.New("this chain has no community pool")
}

func newApp(counts rule, logger log.Logger, db dbm.DB, options ...func(*baseapp.BaseApp)) *app {
	accounts := address.NewBech32Codec(accountPrefix)
	operators := address.NewBech32Codec(accountPrefix + sdk.PrefixValidator + sdk.PrefixOperator)
	consensusNodes := address.NewBech32Codec(accountPrefix + sdk.PrefixValidator + sdk.PrefixConsensus)
	registry, err := codectypes.NewInterfaceRegistryWithOptions(codectypes.InterfaceRegistryOptions{
		ProtoFiles:     proto.HybridResolver,
		SigningOptions: signing.Options{AddressCodec: accounts, ValidatorAddressCodec: operators},
	})
	if err != nil {
		panic(err)
	}
	cdc, amino := codec.NewProtoCodec(registry), codec.NewLegacyAmino()
	std.RegisterInterfaces(registry)
	std.RegisterLegacyAminoCodec(amino)
	txConfig := authtx.NewTxConfig(cdc, authtx.DefaultSignModes)

	base := baseapp.NewBaseApp(appName, logger, db, txConfig.TxDecoder(), options...)
	base.SetInterfaceRegistry(registry)
	base.SetTxEncoder(txConfig.TxEncoder())
	keys := storetypes.NewKVStoreKeys(
		authtypes.StoreKey, banktypes.StoreKey, stakingtypes.StoreKey, slashingtypes.StoreKey,
		govtypes.StoreKey, consensustypes.StoreKey, upgradetypes.StoreKey, rulesName,
	)
	base.MountKVStores(keys)
	store := func(name string) corestore.KVStoreService { return runtime.NewKVStoreService(keys[name]) }

	authority := authtypes.NewModuleAddress(govtypes.ModuleName).String()
	consensusParams := consensuskeeper.NewKeeper(cdc, store(consensustypes.StoreKey), authority, runtime.EventService{})
	base.SetParamStore(consensusParams.ParamsStore)
	account := authkeeper.NewAccountKeeper(
		cdc, store(authtypes.StoreKey), authtypes.ProtoBaseAccount, map[string][]string{
			authtypes.FeeCollectorName:     nil,
			stakingtypes.BondedPoolName:    {authtypes.Burner, authtypes.Staking},
			stakingtypes.NotBondedPoolName: {authtypes.Burner, authtypes.Staking},
			govtypes.ModuleName:            {authtypes.Burner},
		}, accounts, accountPrefix, authority)
	money := bankkeeper.NewBaseKeeper(cdc, store(banktypes.StoreKey), account, nil, authority, logger)
	stakes := stakingkeeper.NewKeeper(
		cdc, store(stakingtypes.StoreKey), account, money, authority, operators, consensusNodes)
	punishment := slashingkeeper.NewKeeper(cdc, amino, store(slashingtypes.StoreKey), stakes, authority)

	schema := collections.NewSchemaBuilder(store(rulesName))
	rules := rulesModule{
		rule:      counts,
		positions: newPositions(schema, cdc, stakes, money),
		governors: newGovernors(schema, cdc, stakes),
		epochs:    newEpochs(schema, cdc, base.MsgServiceRouter()),
		steward:   collections.NewItem(schema, collections.NewPrefix("steward"), "steward", collections.BytesValue),
	}
	if _, err := schema.Build(); err != nil {
		panic(err)
	}
	stakes.SetHooks(stakingtypes.NewMultiStakingHooks(punishment.Hooks(), governorHooks{governors: rules.governors}))
	votes := govkeeper.NewKeeper(
		cdc, store(govtypes.StoreKey), account, money, noCommunityPool{}, base.MsgServiceRouter(),
		govtypes.DefaultConfig(), authority, tallyOf(counts, stakes, rules))
	votes.SetHooks(govHooks{gov: votes, steward: rules.steward, epochs: rules.epochs, hasVeto: !counts.isAtomone()})

	votesModule := gov.NewAppModule(cdc, votes, account, money, nil)
	var govModule module.AppModule = votesModule
	if counts.isAtomone() {
		govModule = atomoneGov{votesModule, votes, registry, rules.governors, counts}
	}
	modules := module.NewManager(
		auth.NewAppModule(cdc, account, nil, nil),
		bank.NewAppModule(cdc, money, account, nil),
		staking.NewAppModule(cdc, stakes, account, money, nil),
		slashing.NewAppModule(cdc, punishment, account, money, stakes, nil, registry),
		consensus.NewAppModule(cdc, consensusParams),
		govModule,
		rules,
	)
	modules.SetOrderInitGenesis(authtypes.ModuleName, banktypes.ModuleName, stakingtypes.ModuleName,
		slashingtypes.ModuleName, consensustypes.ModuleName, govtypes.ModuleName, rulesName)
	// The epochs' end block is the one after that of x/gov.
	modules.SetOrderEndBlockers(govtypes.ModuleName, rulesName, stakingtypes.ModuleName, banktypes.ModuleName)
	basics := module.NewBasicManagerFromManager(modules, nil)
	basics.RegisterInterfaces(registry)
	basics.RegisterLegacyAminoCodec(amino)
	upgrades := upgradekeeper.NewKeeper(nil, store(upgradetypes.StoreKey), cdc, "", base, authority)
	self := &app{base, cdc, amino, registry, txConfig, modules, basics, upgrades}
	self.serve(counts)
	self.run(account, money)
	return self
}

func tallyOf(counts rule, stakes *stakingkeeper.Keeper, rules rulesModule) tallyFn {
	own := delegations(stakes)
	switch counts {
	case ruleGov:
		return govkeeper.NewDefaultCalculateVoteResultsAndVotingPower(stakes)
	case ruleExtra:
		return newTally(stakes, tallyRule{rules.positions.stakes, operatorsInherit})
	case ruleGovernors:
		return newTally(stakes, tallyRule{own, rules.governors.inherit})
	case ruleAlone:
		return newTally(stakes, tallyRule{own, noHeirs})
	case ruleTwice:
		return newTally(stakes, tallyRule{twice(own), operatorsInherit})
	}
	panic(fmt.Sprintf("no such rule: %q", counts))
}

func (a *app) serve(counts rule) {
	configurator := module.NewConfigurator(a.cdc, a.MsgServiceRouter(), a.GRPCQueryRouter())
	if err := a.modules.RegisterServices(configurator); err != nil {
		panic(err)
	}
	upgradetypes.RegisterQueryServer(a.GRPCQueryRouter(), a.upgrades)
	reflectionv1.RegisterReflectionServiceServer(a.GRPCQueryRouter(), reflection{rule: counts})
}

func (a *app) run(account authkeeper.AccountKeeper, money bankkeeper.Keeper) {
	handler, err := ante.NewAnteHandler(ante.HandlerOptions{
		AccountKeeper:   account,
		BankKeeper:      money,
		SignModeHandler: a.txConfig.SignModeHandler(),
		SigGasConsumer:  ante.DefaultSigVerificationGasConsumer,
	})
	if err != nil {
		panic(err)
	}
	a.SetAnteHandler(handler)
	a.SetInitChainer(func(ctx sdk.Context, request *abci.RequestInitChain) (*abci.ResponseInitChain, error) {
		state := map[string]json.RawMessage{}
		if err := json.Unmarshal(request.AppStateBytes, &state); err != nil {
			return nil, err
		}
		if err := a.upgrades.SetModuleVersionMap(ctx, a.modules.GetVersionMap()); err != nil {
			return nil, err
		}
		return a.modules.InitGenesis(ctx, a.cdc, state)
	})
	a.SetPreBlocker(func(ctx sdk.Context, _ *abci.RequestFinalizeBlock) (*sdk.ResponsePreBlock, error) {
		return a.modules.PreBlock(ctx)
	})
	a.SetBeginBlocker(a.modules.BeginBlock)
	a.SetEndBlocker(a.modules.EndBlock)
	if err := a.LoadLatestVersion(); err != nil {
		panic(err)
	}
}

// reflection answers what a chain with this rule has.
type reflection struct {
	reflectionv1.UnimplementedReflectionServiceServer
	rule rule
}

func (r reflection) FileDescriptors(
	context.Context, *reflectionv1.FileDescriptorsRequest,
) (*reflectionv1.FileDescriptorsResponse, error) {
	all, err := proto.MergedGlobalFileDescriptors()
	if err != nil {
		return nil, err
	}
	files := []*descriptorpb.FileDescriptorProto{}
	for _, file := range all.File {
		if r.rule.hides(file.GetPackage()) {
			continue
		}
		for _, service := range file.Service {
			service.Method = slices.DeleteFunc(service.Method, func(method *descriptorpb.MethodDescriptorProto) bool {
				return r.rule.hidesMethod(method.GetName())
			})
		}
		files = append(files, file)
	}
	return &reflectionv1.FileDescriptorsResponse{Files: files}, nil
}

func (a *app) RegisterAPIRoutes(served *api.Server, _ serverconfig.APIConfig) {
	authtx.RegisterGRPCGatewayRoutes(served.ClientCtx, served.GRPCGatewayRouter)
	cmtservice.RegisterGRPCGatewayRoutes(served.ClientCtx, served.GRPCGatewayRouter)
	nodeservice.RegisterGRPCGatewayRoutes(served.ClientCtx, served.GRPCGatewayRouter)
	a.basics.RegisterGRPCGatewayRoutes(served.ClientCtx, served.GRPCGatewayRouter)
}

func (a *app) RegisterTxService(context client.Context) {
	authtx.RegisterTxService(a.GRPCQueryRouter(), context, a.Simulate, a.registry)
}

func (a *app) RegisterTendermintService(context client.Context) {
	query := server.NewCometABCIWrapper(a).Query
	cmtservice.RegisterTendermintService(context, a.GRPCQueryRouter(), a.registry, query)
}

func (a *app) RegisterNodeService(context client.Context, config serverconfig.Config) {
	nodeservice.RegisterNodeService(context, a.GRPCQueryRouter(), config, func() int64 {
		return a.CommitMultiStore().EarliestVersion()
	})
}
