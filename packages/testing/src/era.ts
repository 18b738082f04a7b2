/** The two ways to speak: sessions opened by `initialize` (2025-11-25), or requests that carry everything (2026-07-28). */
export const ERAS = ['legacy', 'modern'] as const;

/** One of {@link ERAS}. */
export type Era = (typeof ERAS)[number];

/** The revision that a session of each era is pinned to. */
export const REVISIONS: Readonly<Record<Era, string>> = { legacy: '2025-11-25', modern: '2026-07-28' };
