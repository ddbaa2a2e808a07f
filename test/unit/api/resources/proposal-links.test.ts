// Which proposals have the link to a proof.
import { expect, it } from 'vitest'
import { createProposalLinks } from '../../../../api/resources/proposal.ts'

const OPEN = {
  proposalId: '7',
  status: 'voting_period',
  submittedAt: { height: 10, txHash: null },
  updatedAt: { height: 12 },
  closedTime: null,
  round: 1,
} as const

const getProof = (changes: object) => createProposalLinks({ ...OPEN, ...changes }, '').proof

it.each([
  ['open', {}],
  ['canceled after its submission', { status: 'canceled' }],
  [
    'closed, and submitted before the log',
    { status: 'passed', submittedAt: null, closedTime: 't' },
  ],
  ['open in its second round, and submitted before the log', { submittedAt: null, round: 2 }],
])('a proposal that is %s has a proof', (_name, changes) => {
  expect(getProof(changes)).toBe('/api/proposals/7/proof')
})

it.each([
  ['canceled in the block of its submission', { status: 'canceled', updatedAt: { height: 10 } }],
  ['dropped, and submitted before the log', { status: 'dropped', submittedAt: null }],
  ['closed before the log', { status: 'rejected', submittedAt: null }],
  ['open, and submitted before the log', { submittedAt: null }],
  ['of an unknown round, and submitted before the log', { submittedAt: null, round: null }],
])('a proposal that is %s has none', (_name, changes) => expect(getProof(changes)).toBeNull())
