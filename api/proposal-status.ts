// Tells by the status of a proposal whether its result is still to come.

/** True in the deposit period and in the voting period. */
export const isOpen = ({ status }: { status: string }): boolean =>
  status === 'deposit_period' || status === 'voting_period'
