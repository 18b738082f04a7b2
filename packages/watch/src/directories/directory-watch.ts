import type { Directory } from './directory.ts';

/** A watch on the entries of one directory. */
export interface DirectoryWatch {
  /** Whether no more events can arrive because the directory was removed or its watcher failed. */
  readonly isLost: boolean;
  close(): Promise<void>;
}

/** Receives the events of one directory. */
export interface DirectoryListener {
  /** Name of the only relevant entry; events of other entries may still arrive. Default: all entries are relevant. */
  readonly entry?: string | undefined;
  onEvent(event: DirectoryEvent): void;
  onLost(): void;
}

/** An entry was added or removed (`rename`) or changed. The name is absent if the platform does not report it. */
export interface DirectoryEvent {
  readonly kind: 'rename' | 'change';
  readonly name: string | undefined;
}

/** A way to watch directories. */
export interface DirectoryWatcher {
  /**
   * Opens a watch. Rejects if the platform refuses the watch. If the directory was removed before the watch was opened,
   * `isLost` is true from the start.
   */
  open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch>;
}

/** Receives the events and failures of all watches. */
export interface WatchObserver {
  onEvent(): void;
  onError(error: unknown): void;
}

/**
 * Returns whether an event may report the removal or move of the directory itself. The system reports this as an event of an
 * entry with the directory's name.
 */
export function isOwnRemoval({ kind, name }: DirectoryEvent, directoryName: string): boolean {
  return kind === 'rename' && name === directoryName;
}

export function parseDirectoryEvent(kind: string, name: unknown): DirectoryEvent {
  return { kind: kind === 'change' ? 'change' : 'rename', name: typeof name === 'string' ? name : undefined };
}
