import { JoiningTools } from './joining-tools.ts';

/** Tools that make repositories, and exchange commits with others. */
export abstract class RemoteTools extends JoiningTools {}
