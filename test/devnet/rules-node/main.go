// Command rules-node is a chain on Cosmos SDK 0.54 whose votes are counted by a rule of choice.
package main

import (
	"errors"
	"os"

	dbm "github.com/cosmos/cosmos-db"
	"github.com/spf13/cobra"

	"cosmossdk.io/log/v2"

	cmtconfig "github.com/cometbft/cometbft/config"

	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/client/config"
	"github.com/cosmos/cosmos-sdk/server"
	servercmd "github.com/cosmos/cosmos-sdk/server/cmd"
	serverconfig "github.com/cosmos/cosmos-sdk/server/config"
	servertypes "github.com/cosmos/cosmos-sdk/server/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	genutilcli "github.com/cosmos/cosmos-sdk/x/genutil/client/cli"
)

const ruleFlag = "rule"

func main() {
	prefixes := sdk.GetConfig()
	prefixes.SetBech32PrefixForAccount(accountPrefix, accountPrefix+sdk.PrefixPublic)
	operator := accountPrefix + sdk.PrefixValidator + sdk.PrefixOperator
	prefixes.SetBech32PrefixForValidator(operator, operator+sdk.PrefixPublic)
	consensus := accountPrefix + sdk.PrefixValidator + sdk.PrefixConsensus
	prefixes.SetBech32PrefixForConsensusNode(consensus, consensus+sdk.PrefixPublic)
	prefixes.Seal()
	home := os.ExpandEnv("$HOME/.rules-node")
	if err := servercmd.Execute(newCommand(home), "", home); err != nil {
		os.Exit(1)
	}
}

func newCommand(home string) *cobra.Command {
	sample := newApp(ruleGov, log.NewNopLogger(), dbm.NewMemDB())
	initial := client.Context{}.
		WithCodec(sample.cdc).
		WithInterfaceRegistry(sample.registry).
		WithTxConfig(sample.txConfig).
		WithLegacyAmino(sample.amino).
		WithInput(os.Stdin).
		WithAccountRetriever(authtypes.AccountRetriever{}).
		WithHomeDir(home).
		WithViper("")
	root := &cobra.Command{
		Use: appName,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			context, err := client.ReadPersistentCommandFlags(initial, cmd.Flags())
			if err != nil {
				return err
			}
			if context, err = config.ReadFromClientConfig(context); err != nil {
				return err
			}
			if err := client.SetCmdClientContextHandler(context, cmd); err != nil {
				return err
			}
			template, settings := serverconfig.DefaultConfigTemplate, serverconfig.DefaultConfig()
			return server.InterceptConfigsPreRunHandler(cmd, template, settings, cmtconfig.DefaultConfig())
		},
	}
	root.AddCommand(genutilcli.InitCmd(sample.basics, home))
	server.AddCommands(root, home, start, export, func(cmd *cobra.Command) {
		cmd.Flags().String(ruleFlag, string(ruleGov), "how votes are counted: gov, extra, governors, alone or twice")
	})
	return root
}

func start(logger log.Logger, db dbm.DB, options servertypes.AppOptions) servertypes.Application {
	name, _ := options.Get(ruleFlag).(string)
	return newApp(rule(name), logger, db, server.DefaultBaseappOptions(options)...)
}

func export(
	log.Logger, dbm.DB, int64, bool, []string, servertypes.AppOptions, []string,
) (servertypes.ExportedApp, error) {
	return servertypes.ExportedApp{}, errors.New("the state of this chain is not exported")
}
