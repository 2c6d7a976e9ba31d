/** Loaded into a daemon before it: ends it by a bug whose words hold the bot token. THROW_TOKEN: `error` or `rejection`. */
const token = process.env.TELEGRAM_BOT_TOKEN ?? '';
const how = process.env.THROW_TOKEN;

const bug = () =>
  Object.assign(
    new Error(`request to https://api.telegram.org/bot${token}/getUpdates failed`, {
      cause: new Error(`https://api.telegram.org/bot${encodeURIComponent(token)}/getUpdates`),
    }),
    { url: `/bot${token}/getMe`, secret: token.split(':')[1] },
  );

if (how !== undefined)
  setTimeout(() => {
    if (how === 'rejection') void Promise.reject(bug());
    else throw bug();
  }, 500);
