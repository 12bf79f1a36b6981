import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../store-profile/index.ts';
import { getGuideMarkdown } from './get-guide-markdown.ts';
import { getLlms } from './get-llms.ts';
import { showGuide } from './show-guide.ts';
import { showHelp } from './show-help.ts';

const pages = [showHelp, showGuide, getGuideMarkdown, getLlms];

export const helpModule = defineModule({
  name: 'help',
  summary: 'The guides, as pages and as Markdown',
  addon: false,
  operations: pages,
  switches: [{ setting: webEnabled, operations: pages }],
});
