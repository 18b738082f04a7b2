/** The one revision that has batches. */
export const BATCHES = '2025-03-26';

/** Messages of one batch. */
export const MAX_BATCH = 100;
