import { Field } from '@org/mcp-decorators';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsString, MaxLength, Min, ValidateNested } from 'class-validator';

export const ENTRY = { name: 'bench/inputs.mjs', size: 2048, hidden: false };
export const LISTING = {
  path: 'bench',
  entries: Array.from({ length: 10 }, (_, position) => ({ ...ENTRY, name: `file-${position}.mjs` })),
};

/** Values with one mistake each: a property of the wrong type, and an unknown property. */
export const WRONG_ENTRIES = [
  { ...ENTRY, size: '2048' },
  { ...ENTRY, owner: 'ada' },
];
export const WRONG_LISTINGS = WRONG_ENTRIES.map((entry) => ({ ...LISTING, entries: [...LISTING.entries.slice(1), entry] }));

/** Declares a new class with three fields on each call; annotated by hand, because the benchmark is not compiled. */
export function declareEntry() {
  class Entry {
    name;
    size;
    hidden;
  }
  return annotateEntry(Entry);
}

/**
 * Declares a class like {@link declareEntry} for the other classes of a process. It is a separate function, because the
 * engine optimizes each function separately.
 */
export function declareOther() {
  class Other {
    name;
    size;
    hidden;
  }
  return annotateEntry(Other);
}

/** Declares a class with an array of {@link declareEntry} instances. */
export function declareListing() {
  const Entry = declareEntry();
  class Listing {
    path;
    entries;
  }
  annotate(Listing, 'path', IsString(), MaxLength(4096));
  annotate(
    Listing,
    'entries',
    Field('Entries of the folder', { type: () => Entry }),
    Type(() => Entry),
  );
  annotate(Listing, 'entries', IsArray(), ArrayMaxSize(1000), ValidateNested({ each: true }));
  return Listing;
}

function annotateEntry(target) {
  annotate(target, 'name', IsString(), MaxLength(4096));
  annotate(target, 'size', IsInt(), Min(0));
  annotate(target, 'hidden', IsBoolean());
  return target;
}

function annotate({ prototype }, property, ...decorators) {
  for (const decorator of decorators) decorator(prototype, property);
}
