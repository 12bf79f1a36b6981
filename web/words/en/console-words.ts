import accounts from './accounts.json' with { type: 'json' };
import common from './common.json' with { type: 'json' };
import consoleWords from './console.json' with { type: 'json' };
import errors from './errors.json' with { type: 'json' };

export default { accounts, common, console: consoleWords, errors };
