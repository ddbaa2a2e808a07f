/**
 * The reason of delegations that a snapshot with many voters leaves to the heights after it. They are no hole: a
 * `stake.changed` of one of these heights has them.
 */
export const READ_LATER = 'read at a later height'
