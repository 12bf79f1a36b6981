import accounts from '../../texts/en/accounts.json' with { type: 'json' };
import common from '../../texts/en/common.json' with { type: 'json' };
import consoleWords from '../../texts/en/console.json' with { type: 'json' };
import errors from '../../texts/en/errors.json' with { type: 'json' };
import program from '../../texts/en/program.json' with { type: 'json' };

/** The console is in English only. Its screens add their own words. */
export default { accounts, common, console: consoleWords, errors, program };
