export { startBrowser } from './browser.ts';
export { openView, type SavedFile, type View, type ViewOptions } from './open-view.ts';
