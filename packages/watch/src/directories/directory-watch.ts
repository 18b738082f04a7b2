import type { Directory } from './directory.ts';

/** A watch on the entries of one directory. */
export interface DirectoryWatch {
  /** Whether it hears nothing any more: the directory went or its watcher failed. */
  readonly lost: boolean;
  close(): Promise<void>;
}

/** Who listens to a directory. */
export interface DirectoryListener {
  /** The only entry that is of interest, by its name; default: all. Others may be heard of too. */
  readonly entry?: string | undefined;
  heard(event: DirectoryEvent): void;
  lost(): void;
}

/** That an entry came or went (`rename`) or was changed; without its name where the platform does not tell. */
export interface DirectoryEvent {
  readonly kind: 'rename' | 'change';
  readonly name: string | undefined;
}

/** A way to watch directories. */
export interface Directories {
  /** Rejects where the platform refuses; for a directory that went meanwhile the watch is lost from the start. */
  open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch>;
}

/** What the hub wants to know of every watch. */
export interface Alarm {
  heard(): void;
  failed(error: unknown): void;
}

/** A directory's own removal or move is told as one of its entries, by its own name. */
export function isOwnEnd({ kind, name }: DirectoryEvent, directoryName: string): boolean {
  return kind === 'rename' && name === directoryName;
}

export function directoryEvent(kind: string, name: unknown): DirectoryEvent {
  return { kind: kind === 'change' ? 'change' : 'rename', name: typeof name === 'string' ? name : undefined };
}
