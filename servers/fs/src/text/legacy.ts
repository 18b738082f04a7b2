/** Of a text in Japanese at least one two-byte character in so many is a kana or a mark of punctuation. */
const KANA_SHARE = 5;

/** Of a text in Chinese at least one two-byte character in so many is among the common ones of GB 2312. */
const COMMON_SHARE = 2;

/** Fewer are no evidence: two accented letters beside each other look like one. */
const FEWEST = 2;

/** Whether bytes are Shift-JIS text with kana in it; Western text can be valid Shift-JIS, but hardly has what stands for kana. */
export function looksLikeShiftJis(bytes: Uint8Array): boolean {
  const found = pairsOf(bytes, {
    leads: isShiftJisLead,
    trails: (byte) => byte >= 0x40 && byte !== 0x7f && byte <= 0xfc,
    alone: isKatakana,
  });
  if (found === undefined || found.length < FEWEST) return false;
  return found.filter(isKana).length * KANA_SHARE >= found.length;
}

/** Whether bytes are GBK text, most of it in the characters of GB 2312. */
export function looksLikeGbk(bytes: Uint8Array): boolean {
  const found = pairsOf(bytes, { leads: (byte) => byte > 0x80 && byte < 0xff, trails: isGbkTrail, alone: () => false });
  if (found === undefined || found.length < FEWEST) return false;
  return found.filter(isCommon).length * COMMON_SHARE >= found.length;
}

interface Pairing {
  readonly leads: (byte: number) => boolean;
  readonly trails: (byte: number) => boolean;
  /** Bytes above ASCII that are characters of their own. */
  readonly alone: (byte: number) => boolean;
}

/** The two-byte characters, each as one number; `undefined` if bytes do not fit. A half one at the end does. */
function pairsOf(bytes: Uint8Array, { leads, trails, alone }: Pairing): readonly number[] | undefined {
  const pairs: number[] = [];
  for (let index = 0; index < bytes.length; index += 1) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80 || alone(lead)) continue;
    const trail = bytes[index + 1];
    if (!leads(lead)) return undefined;
    if (trail === undefined) break;
    if (!trails(trail)) return undefined;
    pairs.push(lead * 256 + trail);
    index += 1;
  }
  return pairs;
}

function isShiftJisLead(byte: number): boolean {
  return (byte > 0x80 && byte < 0xa0) || (byte >= 0xe0 && byte <= 0xfc);
}

function isKatakana(byte: number): boolean {
  return byte > 0xa0 && byte < 0xe0;
}

// The comma and the full stop, then hiragana, then katakana.
function isKana(pair: number): boolean {
  return pair === 0x8141 || pair === 0x8142 || (pair >= 0x829f && pair <= 0x82f1) || (pair >= 0x8340 && pair <= 0x8396);
}

function isGbkTrail(byte: number): boolean {
  return byte >= 0x40 && byte !== 0x7f && byte !== 0xff;
}

// Punctuation, then the characters of the first level, in the order of their sound.
function isCommon(pair: number): boolean {
  const isGb2312 = (pair & 0xff) >= 0xa1;
  const lead = pair >> 8;
  return isGb2312 && (lead === 0xa1 || lead === 0xa3 || (lead >= 0xb0 && lead <= 0xd7));
}
