/**
 * PACKET_AUTHORITY: asks for wider authority, a child write, or nested delegation (source 002 Rejection conditions).
 *
 * Recommending a root action is allowed, asking to be allowed is not. So "run the migration and compare" passes, and
 * "allow me to run the migration" does not; "this would need write access, which the charter does not give" passes.
 */
import { CLAUSE_START, FILE_NAME, gap, phrase, type TextRule, L } from './pattern.ts';

const WIDER = 'source 000 §3: request authority expansion';
const WRITE_OR_DELEGATE = 'source 002 Rejection conditions: asks for a child write or nested delegation';

const EN_COMMANDED = `(?:${CLAUSE_START}|(?<=\\b(?:please|kindly|must|should|shall|(?:could|can|would|will) you|(?:need|have|has|want|ask|asks|urge|like)(?: the root| the chair| you)? to|request that (?:you|the root|the chair)|(?:if|when|until) you|better to|faster to|time to)\\s))`;
const EN_CHILD =
  '(?:me|us|this (?:lane|child|researcher|agent)|(?:the |all |other |future |next )*(?:child|children|lanes?|researchers?|reviewers?|posters?|synthesis|synthesi[sz]er|sub-?agents?|agents?|workers?)|lane [A-Z])';
const EN_POWER =
  '(?:access|permissions?|authority|authori[sz]ation|credentials?|(?:api |access |ssh |deploy )?(?:tokens?|keys?)|passwords?|privileges?|rights|clearance|approval|root|sudo|shell)';
const EN_SHARED = `(?:files?|repo(?:sitory)?|project|codebase|source|ledger|conference|shared|state|branch|main|config(?:uration)?|disk|patch(?:es)?|changes|${FILE_NAME})`;
const EN_SUBAGENT =
  '(?:sub-?agents?|child(?:ren)?|helpers?|sub-?tasks?|assistants?|another agent|other agents|more agents|workers?)';

const DE_CHILD =
  '(?:mir|uns|mich|dieser Lane|diese Lane|(?:der|die|den) Lanes?(?: [A-Z])?|Lane [A-Z]|dem Kind|das Kind|den Kindern|die Kinder|den Forschern|die Forscher|dem Gutachter)';
const DE_POWER =
  '(?:(?:Schreib|Lese|Voll|Root|Admin|Netz(?:werk)?)?-?zugriffs?(?:rechte?)?|Zugang|(?:Schreib|Admin|Root)?-?Rechte?n?|Berechtigung(?:en)?|Vollmacht(?:en)?|Befugnis(?:se|sen)?|Erlaubnis|Genehmigung|Zugangsdaten|Passw(?:ort|örter)|(?:API-)?(?:Token|Schlüssel|Key))';

const UK_CHILD =
  '(?:мені|нам|цій лінії|лінії [A-ZА-Я]|дитині|дітям|дослідникам|дослідникові|рецензентові|агентам|субагентам)';
const UK_POWER =
  '(?:доступ(?:у)?|дозв(?:іл|олу)|прав(?:а|о)?|повноваж(?:ення|ень)|облікові дані|облікових даних|токен(?:а|и)?|ключ(?:а|і)?|пароль|пароля)';

export const AUTHORITY_RULES: readonly TextRule[] = [
  {
    id: 'TA1',
    code: 'PACKET_AUTHORITY',
    language: 'en',
    reason: 'asks to be allowed something',
    source: WIDER,
    fields: 'all',
    patterns: [
      phrase(
        `${EN_COMMANDED}(?:allow|permit|authori[sz]e|enable) ${EN_CHILD} to (?!(?:summari[sz]e|explain|note|restate|clarify|add|remark|point out|begin|introduce|elaborate|say|emphasi[sz]e)\\b)\\w+`,
      ),
      phrase(
        `${EN_COMMANDED}(?:grant|give|provide|extend|hand|issue|assign|get) ${EN_CHILD} ${gap(60)}${EN_POWER}(?! to (?:the )?(?:full|complete|raw|more|older|earlier) (?:distribution|data|range))`,
      ),
      phrase(
        `(?:I|we)(?:'m|'re|'ll|'d)? (?:going to )?(?:\\w+ ){0,2}(?:need|require|want|demand|request|ask for|am requesting|are requesting|am asking for|must have)(?: to (?:have|get|be given|be granted))? ${gap(40)}(?:(?:write|read|admin|root|shell|network|full|wider|broader|elevated|additional|more|direct|push|commit|deploy|database) )+${EN_POWER}`,
      ),
      phrase(
        `(?:I|we)(?:'m|'re|'ll|'d)? (?:going to )?(?:\\w+ ){0,2}(?:need|require|want|request|ask for|am requesting|are requesting|am asking for|must have) (?:the |an? |your |some )?(?:credentials?|permission|authori[sz]ation|approval|api keys?|access tokens?|passwords?|access to(?! (?:nothing|no)))`,
      ),
      phrase(
        `(?:requesting|request|request for|asking for|seeking) (?:the |an? |your |explicit |formal )*(?:permission|authori[sz]ation|approval|write access|elevated (?:access|permissions?|privileges?)|wider authority|broader authority|credentials?)(?: (?:to|for) )?`,
      ),
      phrase(
        `(?:may|can|could) (?:I|we) (?:please )?(?:have|get|use|be given|be granted|obtain) ${gap(30)}${EN_POWER}`,
      ),
      phrase(
        `(?:may|can) (?:I|we) (?:please )?(?:write|push|commit|deploy|publish|delegate|edit|modify|spawn|install|delete)`,
      ),
      phrase(
        `(?:lane [A-Z]|this lane|I|we|(?:the )?(?:children|lanes|researchers|child|researcher|reviewer)) (?:should|must|needs? to|has to|have to|ought to) be (?:given|granted|allowed|permitted|authori[sz]ed)(?: ${gap(40)}(?:${EN_POWER}|to (?:write|push|commit|deploy|publish|delegate|edit|modify|spawn|install|run|execute|use|access|read)))`,
      ),
      phrase(
        `(?:somebody|someone|you|the root|the chair|(?:the )?(?:user|owner|operator)) (?:hands?|gives?|grants?|provides?|sends?) ${EN_CHILD} ${gap(30)}(?:credentials?|passwords?|(?:api|access|ssh|deploy|private|admin) (?:keys?|tokens?)|write access|permission|authority)`,
      ),
      phrase(
        `(?:(?:this lane|lane [A-Z]|(?:the |all )?(?:children|child|lanes|researchers?|reviewers?)) (?:needs?|requires?|wants?|ought to have|should have|must have)) ${gap(20)}(?:write|shell|network|root|admin|full|wider|git|push|commit) (?:access|rights|permissions?|privileges?|authority)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:lift|remove|relax|waive|drop|override|disable|suspend|loosen|end) (?:the |this |that |all |any )*(?:restrictions?|ban|prohibition|limits?|rule) (?:on|of|against|for) (?:\\w+ )?(?:delegation|delegating|writes?|writing|pushes|pushing|commits?|committing|git|network|children|child|lane [A-Z]|this lane)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:lift|remove|relax|waive|drop|override|expand|widen|extend|raise|increase|disable|suspend|loosen) (?:the |my |our |this lane's |its |these |those |all )*(?:forbidden[_ ]actions?|(?:allowed[_ ])?read[_ ]roots?|charter(?:'s)? (?:restrictions?|limits?|bounds?)|restrictions? (?:on|of) (?:me|us|my|this lane|the (?:children|lanes|child))|(?:my|our) (?:restrictions?|permissions?|authority|limits?|sandbox|allowance|budget|deadline|scope)|sandbox|delegation (?:ban|restriction|flag)|write (?:ban|restriction|protection)|permissions?|authority)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:add|include) ${gap(60)}(?:to|in) (?:the |my |our )?(?:allowed[_ ])?read[_ ]roots?`,
      ),
      phrase(
        `(?:mind|consider|suggest|recommend|propose|request|requesting|recommending|by) (?:giving|granting|letting|allowing|providing|handing|sending|permitting|authori[sz]ing) ${EN_CHILD} ${gap(40)}(?:${EN_POWER}|to (?:write|push|commit|deploy|publish|delegate|edit|modify|spawn|install))`,
      ),
      phrase(
        `(?:request|ask|propose|suggest|recommend|demand|insist) that (?:my|our|the|this lane's|its|their) (?:allowed )?(?:read[_ ]roots?|permissions?|authority|restrictions?|limits?|sandbox|scope|forbidden[_ ]actions?) (?:be|are|is|should be) (?:extended|widened|lifted|removed|relaxed|expanded|raised|dropped)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:let|have) ${EN_CHILD} (?:access|use|reach|call|query|connect to|log in(?:to)?) (?:the |a |your |our )?(?:network|internet|web|database|production|shell|terminal|credentials?|repo(?:sitory)?|file ?system|host|server|api)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:grant|give|provide|issue|enable) (?:the |an? |more |full |some |temporary )*(?:write|shell|network|admin|root|git|push|commit|elevated|wider|broader) (?:access|permissions?|authority|rights|privileges?)`,
      ),
    ],
  },
  {
    id: 'TA2',
    code: 'PACKET_AUTHORITY',
    language: 'en',
    reason: 'asks for a child write',
    source: WRITE_OR_DELEGATE,
    fields: 'all',
    patterns: [
      phrase(
        `${EN_COMMANDED}(?:let|have|allow|permit|ask|tell|instruct|get) ${EN_CHILD} (?:to )?(?:directly |just )?(?:write|edit|modify|save|create|update|append|delete|overwrite|store) ${gap(40)}${EN_SHARED}`,
      ),
      phrase(
        `${EN_COMMANDED}(?:let|allow|permit) ${EN_CHILD} (?:to )?(?:write|edit|modify|change|patch) ${gap(40)}(?:directly|itself|themselves|on (?:its|their) own)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:let|have|allow|permit|ask|tell|instruct|get) ${EN_CHILD} (?:to )?(?:directly |just )?(?:push|commit|deploy|publish|merge|release)`,
      ),
    ],
  },
  {
    id: 'TA3',
    code: 'PACKET_AUTHORITY',
    language: 'en',
    reason: 'asks for nested delegation',
    source: WRITE_OR_DELEGATE,
    fields: 'all',
    patterns: [
      phrase(
        `${EN_COMMANDED}(?:let|have|allow|permit|enable|authori[sz]e) ${EN_CHILD} (?:to )?(?:delegate|(?:spawn|launch|start|dispatch|fork|create|use|call) ${gap(20)}${EN_SUBAGENT})`,
      ),
      phrase(
        `${EN_COMMANDED}(?:enable|allow|permit|turn on|switch on) (?:nested |further |sub-?)?delegation`,
      ),
      phrase(
        `(?:I|we)(?:'ll| will| am going to| are going to| want to| would like to|'d like to| need to| plan to| intend to| propose to| must| should) (?:now )?(?:delegate|(?:spawn|launch|start|dispatch|fork) ${gap(20)}${EN_SUBAGENT})`,
      ),
    ],
  },
  {
    id: 'TA4',
    code: 'PACKET_AUTHORITY',
    language: 'de',
    reason: 'asks to be allowed something, for a child write, or for nested delegation',
    source: WIDER,
    fields: 'all',
    patterns: [
      phrase(
        `(?:erlaube|erlauben Sie|erlaubt bitte|gestatte|gestatten Sie|genehmige|genehmigen Sie|ermächtige|ermächtigen Sie|autorisiere|autorisieren Sie|bewillige|bewilligen Sie) (?:bitte )?${DE_CHILD}`,
      ),
      phrase(
        `(?:gib|geben Sie|gebt|gewähre|gewähren Sie|erteile|erteilen Sie|stelle|stellen Sie|verschaffe|verschaffen Sie|überlasse|überlassen Sie) (?:bitte )?${DE_CHILD} ${gap(60)}${DE_POWER}`,
      ),
      phrase(
        `(?:ich|wir) (?:${L}+ ){0,3}?(?:brauche|benötige|beantrage|erbitte|verlange|fordere|möchte|bitte um|brauchen|benötigen|beantragen|erbitten|verlangen|fordern|möchten|bitten um) ${gap(50)}${DE_POWER}`,
      ),
      phrase(
        `(?:brauche|benötige|benötigen|brauchen|beantrage|beantragen) (?:ich|wir) ${gap(50)}${DE_POWER}`,
      ),
      phrase(
        `(?:es wird|hiermit wird|wird) (?:um )?${gap(40)}${DE_POWER} ${gap(20)}(?:gebeten|beantragt|erbeten)`,
      ),
      phrase(`(?:bitte um|Bitte um|Antrag auf) (?:die |eine |einen |weitere |erweiterte )*${DE_POWER}`),
      phrase(
        `(?:darf ich|dürfen wir|darf die Lane|dürfte ich) ${gap(80)}(?:schreiben|pushen|committen|einchecken|ausrollen|deployen|veröffentlichen|delegieren|ändern|löschen|installieren|starten|haben|bekommen|nutzen)`,
      ),
      phrase(
        `(?:lass|lasst|lassen Sie) (?:bitte )?${DE_CHILD} ${gap(80)}(?:schreiben|pushen|committen|einchecken|ausrollen|deployen|veröffentlichen|delegieren|ändern|löschen|installieren|speichern)`,
      ),
      phrase(
        `(?:hebe|heben Sie|hebt|lockere|lockern Sie|entferne|entfernen Sie|erweitere|erweitern Sie|setze|setzen Sie) (?:bitte )?(?:die |das |den |meine |unsere |alle |diese )*(?:verbotenen Aktionen|Einschränkung(?:en)?|Beschränkung(?:en)?|Schreibverbot|Delegationsverbot|Leserechte|Lesepfade|Leseordner|Befugnisse|Rechte|Vollmachten?)`,
      ),
      phrase(
        `(?:erlaube|erlauben Sie|ermögliche|ermöglichen Sie|aktiviere|aktivieren Sie) (?:bitte )?(?:die |eine )?(?:verschachtelte |weitere )?(?:Delegation|Delegierung|Unteragenten|Sub-?Agenten)`,
      ),
      phrase(
        `(?:ich|wir) (?:werde|werden|möchte|möchten|will|wollen|würde|würden) ${gap(80)}(?:delegieren|(?:Unteragenten|Sub-?Agenten|Unterkinder|Helfer) ${gap(20)}(?:starten|beauftragen|einsetzen|erzeugen))`,
      ),
      phrase(`bitte (?:${L}+ ){0,3}?(?:freischalten|freigeben|erlauben|genehmigen|gestatten|ermöglichen)`),
      phrase(
        `(?:sollte|sollten|müsste|müssten) (?:diese Lane|die Lane|Lane [A-Z]|die Kinder|die Lanes|die Forscher|das Kind) ${gap(60)}(?:dürfen|bekommen|erhalten|können)`,
      ),
      phrase(
        `(?:diese Lane|die Lanes?|Lane [A-Z]|die Kinder|das Kind|die Forscher|der Gutachter|ich|wir) (?:sollte|sollten|müsste|müssten|muss|müssen) ${gap(70)}(?:schreiben|pushen|committen|delegieren|ändern|ausführen|ausrollen|lesen|nutzen) (?:dürfen|können)`,
      ),
    ],
  },
  {
    id: 'TA5',
    code: 'PACKET_AUTHORITY',
    language: 'uk',
    reason: 'asks to be allowed something, for a child write, or for nested delegation',
    source: WIDER,
    fields: 'all',
    patterns: [
      phrase(
        `(?:дозвольте|дозволь|уповноважте|уповноваж) ${UK_CHILD} (?!(?:зауважити|додати|пояснити|підсумувати|нагадати|уточнити|сказати|відзначити)(?!${L}))${L}+`,
      ),
      phrase(
        `(?:надайте|надай|дайте|дай|видайте|видай|передайте|передай|забезпечте) ${UK_CHILD} ${gap(60)}${UK_POWER}`,
      ),
      phrase(`(?:прошу|просимо|просив би|просила б|вимагаю|вимагаємо) ${gap(60)}${UK_POWER}`),
      phrase(
        `(?:мені|нам|цій лінії) (?:${L}+ ){0,2}?(?:потрібен|потрібна|потрібні|потрібно|необхідний|необхідні|необхідно) ${gap(40)}${UK_POWER}`,
      ),
      phrase(
        `(?:чи )?(?:можу|можемо|можна) (?:я |ми |мені )?(?:${L}+ ){0,2}?(?:записати|записувати|запушити|закомітити|опублікувати|розгорнути|делегувати|змінити файл|отримати ${UK_POWER})`,
      ),
      phrase(
        `(?:дозвольте|дозволь|нехай|хай) (?:${L}+ ){0,3}?(?:записувати|записати|писати|запише|пише|записують|записує|пишуть|запишуть|запушить|закомітить|запушити|закомітити|комітити|делегувати|делегує|розгортати|публікувати) ${gap(40)}(?:файл|репозитор|проєкт|проект|гілк|стан|журнал|зміни|задач|завдан|субагент|агент)${L}{0,4}`,
      ),
      phrase(
        `(?:зніміть|зніми|скасуйте|скасуй|послабте|послаб|розширте|розшир|вимкніть|вимкни) (?:${L}+ ){0,2}?(?:обмеження|заборон(?:и|у|ені дії)|повноваження|права|дозволи|межі)`,
      ),
      phrase(
        `(?:дозвольте|дозволь|увімкніть|увімкни) (?:${L}+ ){0,2}?(?:делегування|делегувати|субагент(?:ів|и|ам)?)`,
      ),
      phrase(
        `(?:я|ми) (?:${L}+ ){0,2}?(?:хочу|хочемо|планую|плануємо|буду|будемо|маю намір) (?:${L}+ ){0,2}?делегувати`,
      ),
      phrase(
        `(?:увімкніть|увімкни|відкрийте|відкрий|дозвольте|дозволь|надайте|дайте) (?:їй|йому|їм|мені|нам|лінії|дітям|цій лінії) (?:${L}+ ){0,2}?(?:запис|доступ|право|права|писати|записувати)`,
      ),
      phrase(`(?:прошу|просимо) (?:${L}+ ){0,2}?(?:надати|дозволити|видати|відкрити|зняти|розширити)`),
      phrase(
        `(?:дозвольте|дозволь|нехай|хай) (?:лінії|лінія|лініям|дітям|дитині) (?:[A-ZА-Я] )?(?:${L}+ ){0,2}?(?:комітити|закомітити|комітить|пушити|пушить|писати|пише|записувати|змінювати|розгортати)`,
      ),
    ],
  },
];
