import { ToolError } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';
import type { Metadata, Sharp, SharpOptions } from 'sharp';

/** Limits of an image and of its scaled form. */
interface ImageLimits {
  /** Longest side of the scaled image, in pixels. */
  readonly maxImageSide: number;
  /** Maximum number of pixels of an image that is decoded. */
  readonly maxImagePixels: number;
  /** Maximum size of the scaled image, in bytes. */
  readonly maxMediaBytes: number;
}

/** Width and height in pixels, as the image is displayed. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** An image that was scaled or converted. */
export interface ScaledImage {
  readonly content: Buffer;
  readonly mime: string;
  readonly pixels: Pixels;
  readonly original: Pixels;
}

/** Scales an image, as {@link scaleImage} does. */
export type ImageScaler = (image: EncodedImage, limits: ImageLimits) => Promise<ScaledImage | undefined>;

/** An image in a file. */
interface EncodedImage {
  readonly content: Buffer;
  readonly mime: string;
  /** Path for error messages. */
  readonly given: string;
}

type SharpModule = (input: Buffer, options?: SharpOptions) => Sharp;

/** MIME types that can be scaled, with the name of the format that sharp reports for each type. */
const DECODERS: Readonly<Record<string, string>> = {
  'image/avif': 'heif',
  'image/gif': 'gif',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
};

/** MIME types of images that models accept. Images of other types are converted. */
const ACCEPTED: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp']);

/** Time limit, in seconds, of each attempt to decode, scale and encode an image. */
const DECODING_S = 20;
const JPEG_QUALITY = 85;
/** Quality for an image that would be too large as PNG. */
const WEBP_QUALITY = 80;

let loading: Promise<ImageScaler | undefined> | undefined;

/** Returns the scaler, or `undefined` if sharp is not installed beside this package or does not support this machine. */
export function loadImageScaler(): Promise<ImageScaler | undefined> {
  loading ??= loadSharp().then(
    (sharp) => (image, limits) => scaleImage(sharp, image, limits),
    () => undefined,
  );
  return loading;
}

async function loadSharp(): Promise<SharpModule> {
  return (await import('sharp')).default;
}

export function isScalable(mime: string): boolean {
  return Object.hasOwn(DECODERS, mime);
}

/**
 * Scales down an image whose longest side exceeds the limit. Also encodes an image again if the file is too large, or if models
 * do not accept its type. The result contains only the first frame of an animation.
 *
 * @returns `undefined` if the image needs no change, cannot be decoded, or has more than `maxMediaBytes` bytes even when scaled
 * @throws ToolError TOO_LARGE for too many pixels
 */
async function scaleImage(
  sharp: SharpModule,
  { content, mime, given }: EncodedImage,
  limits: ImageLimits,
): Promise<ScaledImage | undefined> {
  const metadata = await readMetadata(sharp, content);
  if (metadata === undefined || metadata.format !== DECODERS[mime]) return undefined;
  const original = { width: metadata.autoOrient.width, height: metadata.autoOrient.height };
  const side = limits.maxImageSide;
  if (fits(original, side) && ACCEPTED.has(mime) && content.length <= limits.maxMediaBytes) return undefined;
  if (original.width * original.height > limits.maxImagePixels)
    throw new ToolError(
      'TOO_LARGE',
      `${quotePath(given)} has ${formatPixels(original)}; the limit is ${limits.maxImagePixels} pixels`,
      { hint: 'asLink returns a link to the file; the operator can raise the limit with --max-image-pixels' },
    );
  const image = sharp(content, { limitInputPixels: limits.maxImagePixels, sequentialRead: true })
    .timeout({ seconds: DECODING_S })
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true });
  return encode(
    image,
    { isLossless: mime !== 'image/jpeg' && metadata.hasAlpha, isPng: mime === 'image/png' },
    { original, limits },
  );
}

async function readMetadata(sharp: SharpModule, content: Buffer): Promise<Metadata | undefined> {
  return sharp(content, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
}

function fits({ width, height }: Pixels, side: number): boolean {
  return Math.max(width, height) <= side;
}

/**
 * Encodes a PNG or transparent image as PNG, or as WebP if the PNG is too large. Encodes any other image as JPEG. Returns
 * `undefined` if the encoding fails or the result is too large.
 */
async function encode(
  image: Sharp,
  { isLossless, isPng }: { readonly isLossless: boolean; readonly isPng: boolean },
  { original, limits }: { readonly original: Pixels; readonly limits: ImageLimits },
): Promise<ScaledImage | undefined> {
  const formats = isLossless || isPng ? (['png', 'webp'] as const) : (['jpeg'] as const);
  for (const format of formats) {
    const quality = format === 'jpeg' ? JPEG_QUALITY : WEBP_QUALITY;
    const options = format === 'png' ? {} : { quality };
    const encoded = await image
      .clone()
      .toFormat(format, options)
      .toBuffer({ resolveWithObject: true })
      .catch(() => undefined);
    if (encoded === undefined) return undefined;
    const { data: content, info } = encoded;
    const pixels = { width: info.width, height: info.height };
    if (content.length <= limits.maxMediaBytes) return { content, mime: `image/${format}`, pixels, original };
  }
  return undefined;
}

export function formatPixels({ width, height }: Pixels): string {
  return `${width} × ${height} pixels`;
}
