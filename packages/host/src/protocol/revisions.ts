/** First revision without sessions: each request carries the client's revision and capabilities. Revisions are dates and sort like dates. */
export const STATELESS_REVISION = '2026-07-28';

/** Only revision with batches. */
export const BATCH_REVISION = '2025-03-26';

/** Maximum number of messages in a batch. */
export const MAX_BATCH = 100;
