import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Calls per round for work that takes milliseconds. */
const SAMPLES = 6;

/** Everyday tasks: how each server is called, and the preparation that is not measured. */
const TASKS = {
  'stage a file': {
    prepare: (repository) => repository.change(),
    ours: ({ path, file }) => [['git_add', { repo_path: path, files: [file] }]],
    theirs: ({ path, file }) => [['git_add', { path, paths: [file] }]],
  },
  commit: {
    prepare: (repository) => repository.stage(),
    ours: ({ path }) => [['git_commit', { repo_path: path, message: 'Change a file' }]],
    theirs: ({ path }) => [['git_commit', { path, message: 'Change a file' }]],
  },
  'create a branch': {
    prepare: (repository) => repository.count(),
    ours: ({ path, number }) => [['git_create_branch', { repo_path: path, branch_name: `branch-${number}` }]],
    theirs: ({ path, number }) => [['git_branch', { path, mode: 'create', branchName: `branch-${number}` }]],
  },
  'switch to another branch': {
    prepare: (repository) => repository.clean(),
    ours: ({ path }) => ['other', 'main'].map((name) => ['git_checkout', { repo_path: path, branch_name: name }]),
    theirs: ({ path }) => ['other', 'main'].map((target) => ['git_checkout', { path, target }]),
  },
  'stash a change, and apply it': {
    prepare: (repository) => repository.change(),
    ours: ({ path }) => [
      ['git_stash_push', { repo_path: path }],
      ['git_stash_apply', { repo_path: path, pop: true }],
    ],
    theirs: ({ path }) => [
      ['git_stash', { path, mode: 'push' }],
      ['git_stash', { path, mode: 'pop' }],
    ],
  },
  'tag a commit': {
    prepare: (repository) => repository.count(),
    ours: ({ path, number }) => [['git_tag_create', { repo_path: path, name: `tag-${number}` }]],
    theirs: ({ path, number }) => [['git_tag', { path, mode: 'create', tagName: `tag-${number}` }]],
  },
};

/** Compares tasks that change a repository with the reference, each server in its own copy of a repository of 500 files. */
export function everydayWork({ complete: ours, theirs }, ground) {
  const copies = { ours: new Repository(ground, 'ours'), theirs: new Repository(ground, 'theirs') };
  return Object.entries(TASKS).map(([name, task]) => ({
    name,
    samples: SAMPLES,
    ways: {
      'mcp-git': byCalls(ours, copies.ours, { ...task, calls: task.ours }),
      reference: byCalls(theirs, copies.theirs, { ...task, calls: task.theirs }),
    },
    bars: [{ of: 'reference', times: 1 }],
  }));
}

/** Returns a way to do the work: calls that are made one after the other, after an unmeasured preparation. */
function byCalls(client, repository, { prepare, calls }) {
  return {
    once: async () => {
      prepare(repository);
      let total = 0;
      for (const [tool, args] of calls(repository)) total += (await client.call(tool, args)).ms;
      return total;
    },
    busyMs: () => client.busyMs(),
  };
}

/** A copy of a generated repository, with a second branch that has 20 additional files. */
class Repository {
  file = 'changed.txt';
  number = 0;

  constructor(ground, name) {
    this.path = join(ground.root, `everyday-${name}`);
    rmSync(this.path, { recursive: true, force: true });
    cpSync(ground['tree-500'], this.path, { recursive: true });
    this.#git('config', 'user.name', 'Ada');
    this.#git('config', 'user.email', 'ada@example.org');
    this.stage();
    this.#git('add', '--all');
    this.#git('commit', '--quiet', '--message', 'Add a file');
    this.#git('branch', '--force', '--move', 'main');
    this.#git('switch', '--quiet', '--create', 'other');
    for (let number = 0; number < 20; number += 1) writeFileSync(join(this.path, `other-${number}.txt`), `${number}\n`);
    this.#git('add', '--all');
    this.#git('commit', '--quiet', '--message', 'Add files');
    this.#git('switch', '--quiet', 'main');
  }

  count() {
    this.number += 1;
  }

  change() {
    this.count();
    writeFileSync(join(this.path, this.file), `line\n`.repeat(100) + this.number);
  }

  stage() {
    this.change();
    this.#git('add', this.file);
  }

  clean() {
    this.#git('reset', '--quiet', '--hard');
  }

  #git(...args) {
    execFileSync('git', args, { cwd: this.path });
  }
}
