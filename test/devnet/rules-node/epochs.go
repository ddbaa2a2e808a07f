package main

import (
	"context"
	"errors"

	"cosmossdk.io/collections"

	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/codec"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"rollcall.test/rules-node/gen/epoching"
)

// epochs keep messages of x/staking until the end block of an epoch's last block, after that of x/gov, as Babylon does
// (babylonlabs-io/babylon v4, x/epoching). A block in which a vote closes ends an epoch too.
type epochs struct {
	cdc     codec.Codec
	router  baseapp.MessageRouter
	next    collections.Sequence
	queue   collections.Map[uint64, []byte]
	length  collections.Item[uint64]
	isEnded collections.Item[bool]
}

func newEpochs(schema *collections.SchemaBuilder, cdc codec.Codec, router baseapp.MessageRouter) *epochs {
	keys, values := collections.Uint64Key, collections.BytesValue
	return &epochs{
		cdc:     cdc,
		router:  router,
		next:    collections.NewSequence(schema, collections.NewPrefix("epochs/next"), "next_queued"),
		queue:   collections.NewMap(schema, collections.NewPrefix("epochs/queue"), "queue", keys, values),
		length:  collections.NewItem(schema, collections.NewPrefix("epochs/length"), "epoch_length", collections.Uint64Value),
		isEnded: collections.NewItem(schema, collections.NewPrefix("epochs/ended"), "epoch_ended", collections.BoolValue),
	}
}

func (e *epochs) WrappedDelegate(
	ctx context.Context, msg *epoching.MsgWrappedDelegate,
) (*epoching.MsgWrappedDelegateResponse, error) {
	return &epoching.MsgWrappedDelegateResponse{}, e.push(ctx, msg.Msg)
}

func (e *epochs) WrappedUndelegate(
	ctx context.Context, msg *epoching.MsgWrappedUndelegate,
) (*epoching.MsgWrappedUndelegateResponse, error) {
	return &epoching.MsgWrappedUndelegateResponse{}, e.push(ctx, msg.Msg)
}

func (e *epochs) push(ctx context.Context, msg sdk.Msg) error {
	bytes, err := e.cdc.MarshalInterface(msg)
	if err != nil {
		return err
	}
	index, err := e.next.Next(ctx)
	if err != nil {
		return err
	}
	return e.queue.Set(ctx, index, bytes)
}

func (e *epochs) endBlock(ctx sdk.Context) error {
	isEnded, err := e.isEnded.Get(ctx)
	if err != nil && !errors.Is(err, collections.ErrNotFound) {
		return err
	}
	length, err := e.length.Get(ctx)
	if err != nil {
		return err
	}
	if !isEnded && uint64(ctx.BlockHeight())%length != 0 {
		return nil
	}
	if err := e.isEnded.Remove(ctx); err != nil {
		return err
	}
	queued := [][]byte{}
	err = e.queue.Walk(ctx, nil, func(_ uint64, bytes []byte) (bool, error) {
		queued = append(queued, bytes)
		return false, nil
	})
	if err != nil {
		return err
	}
	for _, bytes := range queued {
		if err := e.run(ctx, bytes); err != nil {
			ctx.Logger().Error("a queued message failed", "error", err)
		}
	}
	return e.queue.Clear(ctx, nil)
}

func (e *epochs) run(ctx sdk.Context, bytes []byte) error {
	var msg sdk.Msg
	if err := e.cdc.UnmarshalInterface(bytes, &msg); err != nil {
		return err
	}
	cached, write := ctx.CacheContext()
	result, err := e.router.Handler(msg)(cached, msg)
	if err != nil {
		return err
	}
	write()
	ctx.EventManager().EmitEvents(result.GetEvents())
	return nil
}
