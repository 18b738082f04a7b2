export { openView, type View, type ViewOptions } from './open-view.ts';
