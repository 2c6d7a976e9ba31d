/**
 * PACKET_EXTERNAL_ACTION: claims to have done what no child may (source 002 Rejection conditions: claims an external
 * action; 000 §3: claim unsupported tool use).
 *
 * Reports in the first person, of a lane, or without a subject count; history does not ("the patch was merged in
 * 2019 [E2]"), nor denials, plans, a child's own temporary folder, or the same verbs of other things ("we committed
 * to a level", "pushed the ratio below 0.3").
 */
import {
  CLAUSE_START,
  FILE_NAME,
  gap,
  gapWithout,
  phrase,
  SENTENCE_START,
  type TextRule,
  L,
  LETTERS,
} from './pattern.ts';

const EXTERNAL = 'source 002 Rejection conditions: claims an external action';

const EN_ADVERBS =
  '(?:(?:have|already|just|then|also|successfully|now|since|subsequently|finally|directly|even|both|automatically|went ahead and) )*';
const EN_WHO = `(?:(?:I|we)(?:'ve)? ${EN_ADVERBS}|(?:this lane|lane [A-Z]|the (?:child|researcher|reviewer|agent|lane)) (?:has )?${EN_ADVERBS}|${CLAUSE_START}(?:(?:successfully|already) )?)`;
const EN_AND = '(?:\\w+(?:, | and | & ))?';
const EN_TARGET = `(?:repo(?:sitory)?|branch|main|master|origin|remote|upstream|trunk|git|commits?|changes?|fix(?:es)?|patch(?:es)?|code|tags?|PR|pull request|results?|it|them|everything|${FILE_NAME})`;
const EN_LOCAL = 'temp(?:orary)?|tmp|scratch|in[- ]memory|throw-?away|local copy|sandbox';
const EN_FILE = `(?:files?|director(?:y|ies)|folders?|repo(?:sitory)?|codebase|project|source tree|ledger|shared (?:state|knowledge|memory)|conference \\w+|config(?:uration)?s?|README|database|branch|disk|workspace|${FILE_NAME})(?!(?: |-)(?:headers?|sizes?|names?|formats?|systems?|types?|extensions?|descriptors?|level|lengths?|boundar\\w+))`;

const DE_DENIED = 'nicht|nichts|kein|nie|niemals|weder|ohne';
const DE_FILE = `(?:Datei(?:en)?|Repository|Repo|Projekts?|Ordner|Verzeichnis|Konfiguration|README|Branch|Hauptzweig|Ledger|Codebasis|Quelltext|Datenbank|${FILE_NAME})(?!-?(?:größe|kopf|format|name))`;
const DE_STRONG =
  '(?:gepusht|gepushed|committet|commitet|committed|eingecheckt|deployt|deployed|ausgerollt|gemergt|gemerged|delegiert)';
const DE_GENERIC =
  '(?:geschrieben|eingespielt|angewendet|übernommen|eingetragen|hinterlegt|abgespeichert|eingefügt|gespeichert|angelegt|erstellt|aktualisiert|geändert|bearbeitet|gelöscht|überschrieben|ergänzt|verschoben|umbenannt|abgelegt)';

const UK_STRONG =
  '(?:запуш(?:ив|ила|или|ено)|закоміт(?:ив|ила|или|чено|ено|ано)|задепло(?:їв|їла|їли|єно)|змердж(?:ив|ила|или|ено)|делегу(?:вав|вала|вали)|розгорну(?:в|ла|ли|то))';
const UK_GENERIC =
  '(?:застосу(?:вав|вала|вали)|вн(?:іс|есла|если|есено)|пропис(?:ав|ала|али|ано)|запис(?:ав|ала|али|ано)|збер(?:іг|егла|егли|ежено)|створ(?:ив|ила|или|ено)|онов(?:ив|ила|или|лено)|змін(?:ив|ила|или|ено)|видал(?:ив|ила|или|ено)|перезапис(?:ав|ала|али|ано)|дода(?:в|ла|ли|но)|опублік(?:ував|увала|ували|овано)|виклад(?:ено)|викла(?:в|ла|ли)|встанов(?:ив|ила|или|лено)|злив|злила|злили|відправ(?:ив|ила|или|лено)|надісла(?:в|ла|ли|но))';
const UK_FILE = `(?:файл(?:и|у|ів|і)?|репозитор(?:ій|ію|ії|ія)|проєкт(?:і|у)?|теку|теці|папку|папці|каталоз?і?г?|конфігурац(?:ію|ії)|гіл(?:ку|ки|ка|ці)|README|журнал(?:і|у)?|бази? даних|базу даних|пакет|реєстр|продакшн${L}{0,2}|прод|pull request|npm|main|${FILE_NAME})`;
const UK_LOCAL = 'тимчасов|пам.ят';
// Ukrainian past forms do not tell the first person from the third, so a subject or the start of a sentence must.
const UK_WHO = `(?:(?:я|ми|ця лінія|лінія [A-ZА-Я]|ця дитина) (?:${L}+ ){0,4}?|${SENTENCE_START}(?:(?:успішно|вже|також|потім|тоді|далі|зміни|виправлення|патч|код|гілку|результати|усе|все|файл|файли|дані|пакет|нову|версію|таблицю|й|і|та|закомічено|${FILE_NAME}) ){0,4})(?<!(?:не|нічого|ніколи) )`;

export const EXTERNAL_ACTION_RULES: readonly TextRule[] = [
  {
    id: 'TX1',
    code: 'PACKET_EXTERNAL_ACTION',
    language: 'en',
    reason: 'claims to have committed, pushed, merged, deployed or published',
    source: EXTERNAL,
    fields: 'all',
    patterns: [
      phrase(
        `${EN_WHO}${EN_AND}(?:force-)?pushed ${gap(40)}(?:to (?:the |a |my |our )?(?:remote|origin|main|master|upstream|repo(?:sitory)?|branch|git\\w*|trunk)|(?:the |a |my |our )?(?:branch|commits?|changes?|fix|patch|tags?|code))`,
      ),
      phrase(
        `${EN_WHO}${EN_AND}(?:committed|checked in) (?:and pushed|(?!to (?:the |a |this |an )?(?:hypothesis|idea|view|level|plan|assumption|design|using|a single))${gap(30)}${EN_TARGET})`,
      ),
      phrase(
        `${EN_WHO}(?:merged|rebased|cherry-picked|tagged|reverted) ${gap(40)}(?:pull request|PR|branch|into (?:main|master|trunk|the repo\\w*)|onto (?:main|master)|release|commits?|#\\d+)`,
      ),
      phrase(
        `${EN_WHO}${EN_AND}(?:deployed|rolled out|shipped) ${gap(50)}(?:to|in|on|into) (?:the |our |a )?(?:production|prod|staging|servers?|cluster|cloud|environment|live|users|kubernetes|fleet)`,
      ),
      phrase(
        `${EN_WHO}(?:deployed|rolled out|shipped|released|published) (?:the |a |our |this |an )?(?:new |first |updated |fixed )?(?:fix|build|service|app|change|patch|version|package|release|report|article|image|crate|gist|hotfix)`,
      ),
      phrase(
        `${EN_WHO}(?:published|released|uploaded) ${gap(50)}(?:to|on) (?:the |our |a )?(?:npm|pypi|registry|package registry|crates\\.io|docker hub|github|gitlab|web|internet|website|blog|s3|bucket|server|public\\b)`,
      ),
      phrase(
        `(?:has|have) (?:now |already |just |since )?been (?:pushed|committed|deployed|merged|published|released|rolled out) (?:to|into|on|in) (?:the |our )?(?:remote|origin|main|master|production|prod|staging|npm|pypi|registry|repo(?:sitory)?|live)`,
      ),
      phrase(
        `(?:is|are) (?:now |already )(?:live|deployed|published|merged|pushed)(?: (?:in|on|to|into) \\w+)?`,
      ),
      phrase(
        `(?:opened|created|filed|raised|submitted) (?:a |an |the |two |three )?(?:new |draft )?(?:pull request|PR|merge request|issue|ticket|bug report)(?! (?:tracker|export|list|template|queue|history|system|description|number))`,
      ),
      phrase(
        `(?:I|we|this lane) (?:\\w+ ){0,2}?(?:managed to|was able to|were able to|went ahead and|proceeded to|took the liberty to) (?:push|commit|deploy|publish|merge|release|pushed|committed|deployed|published|merged|released)`,
      ),
      phrase(
        `(?:after|with|since|in|see|by|through) (?:my|our) (?:last |latest |own |first )?(?:commits?|push|merge|pull request|PR|deployment to|npm release|force-push)(?! messages?)`,
      ),
      phrase(
        `(?:deployment|commit|release|push|merge|pull request|PR|migration|rollout) (?:that |which )?(?:I|we) ${EN_ADVERBS}(?:triggered|made|created|started|opened|pushed|ran|did|merged)`,
      ),
      phrase(
        `${EN_WHO}(?:ran|executed|applied|started|triggered|performed) (?:the |a |our |my )?(?:\\w+ )?(?:migrations?|deployments?|rollout|release|restore|rollback) (?:on|in|against|to) (?:the |our )?(?:live|production|prod|staging|real|shared)`,
      ),
    ],
  },
  {
    id: 'TX2',
    code: 'PACKET_EXTERNAL_ACTION',
    language: 'en',
    reason: 'claims to have written outside its packet',
    source: EXTERNAL,
    fields: 'all',
    patterns: [
      phrase(
        `${EN_WHO}(?:wrote|written|saved|stored|dumped|exported|persisted|recorded|logged|appended) ${gapWithout(EN_LOCAL, 50)}(?:to|in|into|as|at|on) (?:the |a |an |my |our |its |this |new |shared |project |disk )*${EN_FILE}`,
      ),
      phrase(
        `${EN_WHO}(?:wrote|written|created|updated|modified|edited|patched|changed|fixed|refactored|overwrote|overwritten|deleted|removed|renamed|moved|added|appended to) (?:the |a |an |all |some |two |three |my |our |its |both |new |old |stale |shared |project |existing |central |project's |root's )*${EN_FILE}`,
      ),
      phrase(
        `${EN_WHO}(?:applied|made) (?:the |a |an |this |my |these )*(?:patch|fix|change|edit|migration|refactoring)s? (?:directly )?(?:to|in|on) (?:the |our |a |main |master )*(?:${EN_FILE}|production|server|main)`,
      ),
      phrase(
        `(?:is|are) now (?:stored|saved|written|recorded|kept|available) (?:in|at|under) (?:the |a |an |our |its |shared |project )*(?:${EN_FILE})`,
      ),
      phrase(
        `${FILE_NAME}${gap(30)}(?:which|that) (?:I|we) ${EN_ADVERBS}(?:updated|wrote|edited|changed|created|modified|overwrote|extended|fixed)`,
      ),
      phrase(
        `(?:written|saved|stored|committed|pushed|deployed|published|updated|created|uploaded|merged|deleted|edited) by (?:me|us|this lane)(?! (?:earlier )?in (?:memory|temp))`,
      ),
      phrase(
        `${SENTENCE_START}[^.!?;[]{0,60}?(?:was|were|has been|have been) (?:saved|written|stored|exported|appended|uploaded) ${gapWithout(EN_LOCAL, 20)}(?:to|in|into|under) (?:the |our |shared |project )*(?:${EN_FILE})(?!${gap(60)}(?:\\[E|(?:19|20)\\d\\d))`,
      ),
      phrase(
        `${EN_WHO}(?:updated|overwrote|changed|edited|replaced|modified|corrected|fixed|bumped|inserted) ${gapWithout(`${EN_LOCAL}|copy`, 40)} in (?:the |our |my |shared |project )*(?:${FILE_NAME}|ledger|shared (?:state|knowledge)|repo(?:sitory)?|config(?:uration)? files?|README)`,
      ),
    ],
  },
  {
    id: 'TX3',
    code: 'PACKET_EXTERNAL_ACTION',
    language: 'en',
    reason: 'claims to have delegated, or used a tool or credential that no charter allows',
    source: 'source 000 §3: claim unsupported tool use',
    fields: 'all',
    patterns: [
      phrase(`${EN_WHO}(?:delegated|handed off|outsourced) (?:the|a|an|this|part|it|some|two|half|my|to)`),
      phrase(
        `${EN_WHO}(?:spawned|launched|started|dispatched|forked) ${gap(20)}(?:sub-?agents?|child(?:ren)?(?! process)|another agent|helper agents?|agents)`,
      ),
      phrase(
        `(?:my|a|the|two|three) (?:own )?(?:sub-?agents?|helper agents?) (?:\\w+ )?(?:measured|found|reported|confirmed|checked|ran|returned|verified|computed)`,
      ),
      phrase(
        `${EN_WHO}(?:installed|pip-installed|npm-installed) (?:the |a |an |some |missing |required |latest )*(?:\\w+ )?(?:packages?|dependenc(?:y|ies)|librar(?:y|ies)|modules?|tool|globally|(?:\\S+ )?(?:with|via|using|from) (?:npm|pip|apt|brew|cargo))`,
      ),
      phrase(
        `${EN_WHO}(?:emailed|e-mailed|messaged|notified|pinged) (?:the |a |an |our |its |all )*(?:user|maintainers?|team|authors?|channel|customers?|vendor|support|operator)`,
      ),
      phrase(
        `${EN_WHO}(?:sent|emailed|e-mailed|posted|messaged) ${gap(40)}(?:e-?mails?|message|notification|comment|webhook|slack|to (?:the )?(?:user|maintainers?|team|author|channel|issue|customer))`,
      ),
      phrase(`${EN_WHO}(?:logged in(?:to)?|signed in(?:to)?|authenticated (?:with|against|to|as)|ssh'd)`),
      phrase(
        `${EN_WHO}(?:used|read|took|borrowed) (?:the |your |a |my |stored |available )*(?:credentials?|api[- ]keys?|access tokens?|ssh keys?|deploy keys?|passwords?|tokens? (?:from|in))`,
      ),
      phrase(
        `${EN_WHO}(?:used|called|invoked|ran|executed) (?:the |a )?[\`'"]?(?:delegate_task|Write|Edit|Bash|Task|git (?:push|commit|merge|tag|rebase|reset)|npm publish|kubectl|terraform|docker push)[\`'"]?(?: tool)?`,
      ),
      phrase(
        `${EN_WHO}(?:restarted|stopped|killed|provisioned|shut down|rebooted) (?:the |a |our )?(?:production|server|service|host|cluster|database|daemon|vm|instance)`,
      ),
      phrase(
        `${EN_WHO}(?:asked|instructed|told|tasked|hired|used) (?:another|a second|a third|two|three|other|several|a helper|my|my own) (?:\\w+ )?(?:agents?|sub-?agents?|helpers?|child(?:ren)?|assistants?|models?|LLMs?)(?! (?:number|of))`,
      ),
      phrase(
        `(?:agents?|sub-?agents?|helpers?|child(?:ren)?) (?:that |which |whom )?(?:I|we) ${EN_ADVERBS}(?:started|spawned|launched|asked|created|called|dispatched|delegated)`,
      ),
    ],
  },
  {
    id: 'TX4',
    code: 'PACKET_EXTERNAL_ACTION',
    language: 'de',
    reason: 'claims to have written, committed, pushed, deployed, published or delegated',
    source: EXTERNAL,
    fields: 'all',
    patterns: [
      phrase(
        `(?:ich habe|wir haben|habe ich|haben wir|(?:diese Lane|Lane [A-Z]|das Kind) hat) ${gapWithout(DE_DENIED, 90)}${DE_STRONG}`,
      ),
      phrase(
        `(?:ich habe|wir haben|habe ich|haben wir|(?:diese Lane|Lane [A-Z]|das Kind) hat) ${gapWithout(`${DE_DENIED}|temporär|Temp|Arbeitsspeicher`, 60)}${DE_FILE}${gapWithout(DE_DENIED, 50)} ${DE_GENERIC}`,
      ),
      phrase(
        `(?:ich habe|wir haben|habe ich|haben wir) ${gapWithout(DE_DENIED, 60)}(?:Paket|npm|Registry|Release|Version|Bericht|Pull Request|PR|Issue|Ticket|E-Mail|Nachricht|Abhängigkeit(?:en)?|Bibliothek(?:en)?|Unteragent(?:en)?|Sub-?Agent(?:en)?)${gapWithout(DE_DENIED, 50)} (?:veröffentlicht|hochgeladen|publiziert|freigegeben|geöffnet|eröffnet|erstellt|verschickt|gesendet|geschickt|installiert|gestartet|beauftragt)`,
      ),
      phrase(
        `(?:ich habe|wir haben|habe ich|haben wir) ${gapWithout(DE_DENIED, 40)}(?:mit |die |den |das |meine[nm]? )*(?:Zugangsdaten|API-Schlüssel|SSH-Schlüssel|Passwort|Token)${gapWithout(DE_DENIED, 30)} (?:verwendet|benutzt|genutzt|eingeloggt|angemeldet|gelesen)`,
      ),
      phrase(
        `${SENTENCE_START}(?:(?!(?<!${L})(?:nicht|nichts|kein|nie|wurde|wurden|wird|werden|hat|hatte|hätte|ist|sind|war|waren|worden|sollte|könnte|falls|wenn)(?!${L}))(?:[^.!?;,[]|\\.(?=[${LETTERS}0-9]))){0,60}?(?:${DE_STRONG})(?=\\s*(?:$|[.!;,]|und ${DE_STRONG}))`,
      ),
      phrase(
        `${SENTENCE_START}(?:(?:die|das|den|eine|neue|alle) )*${DE_FILE}(?:(?!(?<!${L})(?:nicht|nichts|kein|wurde|wurden|wird|werden|hat|ist|sind|war|waren|worden|sollte)(?!${L}))(?:[^.!?;,[]|\\.(?=[${LETTERS}0-9]))){0,40}? ${DE_GENERIC}(?=\\s*(?:$|[.!;,]))`,
      ),
      phrase(
        `(?:ist|sind) (?:jetzt|nun|bereits|inzwischen) ${gapWithout(DE_DENIED, 30)}(?:live|deployt|ausgerollt|veröffentlicht|gemergt|gepusht|in Produktion)`,
      ),
      phrase(
        `(?:nach|mit|durch|seit|in|siehe) (?:meinem|meiner|meinen|unserem|unserer) (?:letzten |eigenen |ersten )?(?:Commits?|Push|Merge|Deployment|Rollout|Pull Request|PR|Veröffentlichung)`,
      ),
    ],
  },
  {
    id: 'TX5',
    code: 'PACKET_EXTERNAL_ACTION',
    language: 'uk',
    reason: 'claims to have written, committed, pushed, deployed, published or delegated',
    source: EXTERNAL,
    fields: 'all',
    patterns: [
      phrase(
        `${UK_WHO}${UK_STRONG}(?! (?:б|би)(?!${L}))${gap(50)}(?:зміни|змін|виправлення|патч|код|гілк(?:у|и)|гілці|репозитор(?:ій|ію|ії)|main|master|origin|git|продакшн${L}{0,2}|прод|сервер(?:і|и|а)?|кластер(?:і)?|верс(?:ію|ії)|задач(?:у|і)|завдання|субагент(?:у|ам|ові)?|агент(?:у|ам|ові)|частину|результат(?:и)?|${FILE_NAME})`,
      ),
      phrase(
        `${SENTENCE_START}(?:зміни|виправлення|патч|код|гілку|результати|усе|все) (?:${L}+ ){0,3}?(?<!не )${UK_STRONG}`,
      ),
      phrase(`${UK_WHO}${UK_GENERIC}(?! (?:б|би)(?!${L}))${gapWithout(UK_LOCAL, 50)} ${UK_FILE}`),
      phrase(
        `(?:я|ми|ця лінія|лінія [A-ZА-Я]) (?:${L}+ ){0,3}?(?:використ(?:ав|ала|али)|застосув(?:ав|ала|али)) (?:${L}+ ){0,3}?(?:облікові дані|токен|ключ API|API-ключ|пароль|SSH-ключ)`,
      ),
      phrase(`(?:запустив|запустила|запустили) (?:${L}+ ){0,2}?(?:субагент|агент|дитин)${L}{0,3}`),
      phrase(
        `(?:після|у|в|з) (?:мого|моєму|моїм|нашого|нашому|нашим) (?:коміту|комітом|коміті|пушу|злиття|деплою|релізу|pull request)`,
      ),
    ],
  },
];
