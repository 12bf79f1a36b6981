import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { personalData, personErasures } from '../privacy/index.ts';
import { cleanUpFiles } from './clean-up.ts';
import { filesUnavailable } from './file-error.ts';
import { getFile } from './get-file.ts';
import { eraseFiles, filesOfPerson } from './privacy.ts';
import { tooManyBytes } from './store-file.ts';
import { tables } from './tables.ts';

export const filesModule = defineModule({
  name: 'files',
  summary: 'Files that were uploaded: checked, stored, served and deleted',
  addon: false,
  operations: [getFile],
  jobs: [cleanUpFiles],
  migrations: [creating('files/0001-files', tables)],
  errors: [tooManyBytes, filesUnavailable],
  contributions: [contribute(personalData, filesOfPerson), contribute(personErasures, eraseFiles)],
});
