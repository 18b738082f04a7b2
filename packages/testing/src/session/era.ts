/** The two protocol eras: sessions opened by `initialize` (2025-11-25), or self-contained requests (2026-07-28). */
export const ERAS = ['legacy', 'modern'] as const;

/** One of {@link ERAS}. */
export type Era = (typeof ERAS)[number];

/** The protocol revision that a session of each era uses. */
export const REVISIONS: Readonly<Record<Era, string>> = { legacy: '2025-11-25', modern: '2026-07-28' };
