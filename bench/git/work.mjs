import { byProgram, byTool } from '../measuring/measure.mjs';
import { BLAMED, BLAMED_LINES, COMMITS, TREE_FILES, UNTRACKED } from './histories.mjs';

const PAGE = 10;
const LONG_PAGE = 1000;
/** Number of commits before the page that is far back in the history. */
const FAR = COMMITS - LONG_PAGE;
const CAP = 65_536;
/** Calls per round for work that takes milliseconds. */
const SAMPLES = 4;

/**
 * Returns the most frequent calls, and other ways to get the same result. Most entries have a check that the result is
 * complete, and bars for mcp-git.
 */
export async function workOn(clients, ground) {
  return [
    branches(clients, ground),
    status(clients, ground),
    ...(await logs(clients, ground)),
    ...diffs(clients, ground),
    blame(clients, ground),
  ];
}

function branches({ ours, theirs }, { history }) {
  return {
    name: 'branches, by one process of git',
    samples: SAMPLES,
    ways: {
      'mcp-git': byTool(ours, 'git_branch', { repo_path: history }, ({ structuredContent }) => structuredContent.total === 1),
      'git for-each-ref': byGit(history, ['for-each-ref', 'refs/heads']),
      reference: byTool(theirs, 'git_branch', { path: history }),
    },
  };
}

function status({ ours, theirs }, { tree }) {
  const isWhole = ({ structuredContent: { counts } }) => counts.unstaged === 20 && counts.untracked === 5;
  return {
    name: `status of ${TREE_FILES} files`,
    samples: SAMPLES,
    ways: {
      'mcp-git': byTool(ours, 'git_status', { repo_path: tree }, isWhole),
      'git status': byGit(tree, ['status', '--porcelain=v2', '--branch', '-z']),
      reference: byTool(theirs, 'git_status', { path: tree }),
    },
    bars: [{ of: 'git status', over: 3 }],
  };
}

async function logs(clients, ground) {
  const { ours } = clients;
  const repo_path = ground.history;
  const cursor = await cursorAt(ours, repo_path);
  const pageOf = (args, length = PAGE) => byTool(ours, 'git_log', { repo_path, ...args }, hasCommits(length));
  return [
    logFromHead(clients, ground, pageOf),
    logFromAfar(clients, ground, { pageOf, cursor }),
    longLog(clients, ground, pageOf),
  ];
}

function logFromHead({ theirs }, { history }, pageOf) {
  return {
    name: `log, the last ${PAGE} commits`,
    samples: SAMPLES,
    ways: {
      'mcp-git': pageOf({}),
      'git log': byGit(history, ['log', `-${PAGE}`]),
      reference: byTool(theirs, 'git_log', { path: history }),
    },
    bars: [{ of: 'git log', over: 2 }],
  };
}

function logFromAfar({ theirs }, { history }, { pageOf, cursor }) {
  const skip = ['log', `-${PAGE}`, `--skip=${FAR}`];
  return {
    name: `log, ${PAGE} commits after ${FAR} others`,
    samples: SAMPLES,
    ways: {
      'mcp-git': pageOf({ cursor }),
      'mcp-git, the first page': pageOf({}),
      'git log --skip': byGit(history, skip),
      'git log --skip, no commit graph': byGit(history, ['-c', 'core.commitGraph=false', ...skip]),
      reference: byTool(theirs, 'git_log', { path: history, skip: FAR }),
    },
    bars: [{ of: 'mcp-git, the first page', over: 2 }],
  };
}

function longLog({ theirs }, { history }, pageOf) {
  return {
    name: `log, the last ${LONG_PAGE} commits`,
    samples: SAMPLES,
    ways: {
      'mcp-git': pageOf({ max_count: LONG_PAGE }, LONG_PAGE),
      'git log': byGit(history, ['log', `-${LONG_PAGE}`]),
      reference: byTool(theirs, 'git_log', { path: history, maxCount: LONG_PAGE }),
    },
  };
}

function hasCommits(count) {
  return ({ structuredContent }) => structuredContent.commits.length === count;
}

/** Returns the cursor of the page after this number of commits, found in the same way as by a client. */
async function cursorAt(ours, history) {
  let cursor;
  for (let passed = 0; passed < FAR; passed += LONG_PAGE) {
    const { result } = await ours.call('git_log', { repo_path: history, max_count: LONG_PAGE, ...(cursor && { cursor }) });
    if (result.structuredContent.commits.length !== LONG_PAGE) throw new Error(`a page of the log ended early after ${passed}`);
    cursor = result.structuredContent.next_cursor;
  }
  return cursor;
}

function diffs({ capped, ours, theirs }, { differences }) {
  const between = { path: differences, source: 'main', target: 'rewritten' };
  return [
    {
      name: `diff of 3.5 MB, of which ${CAP} bytes are wanted`,
      samples: SAMPLES,
      ways: {
        'mcp-git': byTool(capped, 'git_diff', { repo_path: differences, target: 'main..rewritten' }, isCut),
        'git diff, all of it': byGit(differences, ['diff', 'main', 'rewritten']),
        'reference, all of it': byTool(theirs, 'git_diff', between),
      },
      bars: [{ of: 'reference, all of it', times: 0.3 }],
    },
    {
      name: `diff of the work tree, beside ${UNTRACKED} untracked files`,
      samples: SAMPLES,
      ways: {
        'mcp-git': byTool(ours, 'git_diff_unstaged', { repo_path: differences }),
        'git diff': byGit(differences, ['diff']),
        'reference, with those': byTool(theirs, 'git_diff', { path: differences, includeUntracked: true }),
      },
      bars: [{ of: 'git diff', over: 5 }],
    },
  ];
}

function isCut({ content }) {
  const length = Buffer.byteLength(content[0].text);
  return length <= CAP && length > CAP / 2;
}

function blame({ ours, theirs }, ground) {
  const isWhole = ({ content }) => content[0].text.includes(`\n${BLAMED_LINES}\t`);
  return {
    name: `blame of ${BLAMED_LINES} lines`,
    ways: {
      'mcp-git': byTool(ours, 'git_blame', { repo_path: ground.blame, path: BLAMED }, isWhole),
      'git blame': byGit(ground.blame, ['blame', '--porcelain', BLAMED]),
      'reference, without most of the lines': byTool(theirs, 'git_blame', { path: ground.blame, filePath: BLAMED }),
    },
  };
}

/** Returns a git command as a way to do the work. Git must not refresh the index, because mcp-git does not refresh it either. */
function byGit(directory, args) {
  return byProgram(['git', '--no-optional-locks', '--no-pager', '-C', directory, ...args]);
}
