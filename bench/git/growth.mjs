import { byTool } from '../measuring/measure.mjs';
import { growthRows } from '../measuring/growth-rows.mjs';
import { TREE_FILES } from './histories.mjs';

const LOGS = [10, 100, 1000];

/** Measures a log and a status of 1, 10 and 100 times the size. */
export async function growthOfGit({ startWhole }, ground, rounds) {
  const client = await startWhole();
  const trees = { 500: ground['tree-500'], 5000: ground['tree-5000'], [TREE_FILES]: ground.tree };
  const logs = LOGS.map((limit) => [limit, byTool(client, 'git_log', { repo_path: ground.history, max_count: limit })]);
  const statuses = Object.entries(trees).map(([files, repo_path]) => [files, byTool(client, 'git_status', { repo_path })]);
  const works = [
    { name: 'git_log', unit: 'commits', ways: Object.fromEntries(logs) },
    { name: 'git_status', unit: 'files', ways: Object.fromEntries(statuses) },
  ];
  return growthRows(works, rounds);
}
