"""The word lists of the embedded judge: what it takes for equal, for filler, and for a sign of something.

Everything here is plain data. A word stands in the form that `words.reading` gives it: lower case, no accents.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


def _table(lines: str) -> dict[str, str]:
    """`main: other, other` per line, as other -> main; a main word stands for itself."""
    table: dict[str, str] = {}
    for line in filter(None, map(str.strip, lines.splitlines())):
        main, _, others = line.partition(":")
        table[main.strip()] = main.strip()
        table.update({other.strip(): main.strip() for other in others.split(",") if other.strip()})
    return table


def _phrases(lines: str) -> Mapping[str, tuple[str, ...]]:
    """`main: phrase, phrase` per line, as main -> phrases; a main may stand on several lines."""
    found: dict[str, list[str]] = {}
    for line in filter(None, map(str.strip, lines.splitlines())):
        main, _, phrases = line.partition(":")
        found.setdefault(main, []).extend(phrase.strip() for phrase in phrases.split(","))
    return MappingProxyType({main: tuple(phrases) for main, phrases in found.items()})


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


ARTICLES: Final = word_set("a an the")
# After these an "a" is a name, not an article: vitamin A, group A.
LETTERED: Final = word_set("vitamin group type grade class plan part section blood level")

MONTHS: Final = MappingProxyType(
    {
        name: number
        for number, names in enumerate(
            (
                "january jan",
                "february feb",
                "march mar",
                "april apr",
                "may",
                "june jun",
                "july jul",
                "august aug",
                "september sept sep",
                "october oct",
                "november nov",
                "december dec",
            ),
            start=1,
        )
        for name in names.split()
    }
)
WEEKDAYS: Final = word_set(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun"
)

_COUNTING: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
_SMALL: Final = tuple(_COUNTING.split())
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS: Final = MappingProxyType(
    {name: 10 * number for number, name in enumerate(_TENS.split(" "), start=2)}
)
# "one" is left out: it is a pronoun as often as a number.
NUMBERS: Final = MappingProxyType(
    {name: number for number, name in enumerate(_SMALL) if name != "one"} | dict(TENS)
)
CLOCK: Final = MappingProxyType(
    {name: number for number, name in enumerate(_SMALL) if 1 <= number <= 12}
)

# Written out before words are taken apart, because the parts alone would mean something else.
PHRASES: Final = _table(
    """
    mph: miles per hour, mile per hour, miles an hour, mile an hour, mi/h
    kph: kilometres per hour, kilometre per hour, kilometers per hour, kilometer per hour, km/h, kmh, km per hour, km/hr
    mps: metres per second, meters per second, metre per second, meter per second, m/s
    psi: pounds per square inch, pound per square inch, lbf/in2
    fluidounce: fluid ounces, fluid ounce, fl oz, fl. oz.
    squaremeter: square metres, square meters, square metre, square meter, sqm, sq m, m^2
    squarekilometer: square kilometres, square kilometers, square kilometre, square kilometer, km^2, sq km
    squarefoot: square feet, square foot, sq ft, sqft, ft^2
    cubicmeter: cubic metres, cubic meters, cubic metre, cubic meter, m^3
    square root: sqrt
    email: e-mail, e mail
    percent: per cent
    co2: carbon dioxide
    usa: united states of america, united states, u.s.a., u.s.
    uk: united kingdom, great britain, u.k.
    new york: new york city, nyc, n.y.c.
    los angeles: l.a.
    ho chi minh city: saigon
    mexico city: ciudad de mexico, cdmx
    public transport: public transit, mass transit
    checkin: check-in, check in, checking in, checks in
    checkout: check-out, check out, checking out, checks out
    timezone: time zone, time-zone
    good bye: goodbye
    """
)

WORDS: Final = _table(
    """
    kilometer: km, kms, kilometre, kilometres, kilometers
    meter: metre, metres, meters
    centimeter: cm, centimetre, centimetres, centimeters
    millimeter: mm, millimetre, millimetres, millimeters
    mile: mi, miles
    yard: yd, yds, yards
    foot: ft, feet
    inch: inches
    gram: gr, gramme, grams, grammes
    kilogram: kg, kgs, kilo, kilos, kilogramme, kilograms, kilogrammes
    milligram: mg, milligrams
    pound: lb, lbs, pounds
    ounce: oz, ounces
    tonne: tonnes
    liter: litre, litres, liters
    milliliter: ml, millilitre, millilitres, milliliters
    centiliter: cl, centilitre, centilitres
    deciliter: dl, decilitre, decilitres
    gallon: gal, gallons
    tablespoon: tbsp, tablespoons
    teaspoon: tsp, teaspoons
    celsius: centigrade
    hour: hr, hrs, hours
    minute: min, mins, minutes
    second: sec, secs, seconds
    gigabyte: gb, gigabytes
    megabyte: mb, megabytes
    kilobyte: kb, kilobytes
    terabyte: tb, terabytes
    hectare: ha, hectares
    acre: acres
    knot: kn, knots
    kilopascal: kpa
    color: colour, colours
    center: centre, centres
    gray: grey
    persian: farsi
    and: plus
    ok: okay
    saint: st
    munich: munchen
    cologne: koln
    vienna: wien
    rome: roma
    lisbon: lisboa
    prague: praha
    warsaw: warszawa
    milan: milano
    naples: napoli
    florence: firenze
    turin: torino
    venice: venezia
    geneva: geneve
    seville: sevilla
    copenhagen: kobenhavn
    gothenburg: goteborg
    moscow: moskva
    kyiv: kiev
    mumbai: bombay
    kolkata: calcutta
    beijing: peking
    marrakesh: marrakech
    danang: da-nang
    do: does
    write: wrote, written, writes, writing, author, authored, penned
    make: made, makes, making
    build: built, builds, building
    begin: began, begun, start, started, starts, starting, begins, beginning
    give: gave, given, gives
    find: found, finds, finding
    leave: left, leaving, leaves
    send: sent, sends, sending
    buy: bought, buys
    think: thought
    tell: told
    live: alive, living, lives
    integral: integrate, integration
    derivative: differentiate, differentiation
    meeting: meetings, meet
    appointment: appointments, appt
    telephone: phone, ring
    """
)

# Taken for a unit only when they are the whole value, because elsewhere they are words or letters.
SHORT_UNITS: Final = _table(
    """
    meter: m
    gram: g
    liter: l
    celsius: c
    fahrenheit: f
    kelvin: k
    hour: h
    second: s
    inch: in
    tonne: t, metric ton, metric tons
    """
)

LANGUAGE_CODES: Final = _table(
    """
    english: en
    german: de, deutsch
    french: fr, francais
    spanish: es, espanol, castilian
    italian: it, italiano
    portuguese: pt, portugues
    dutch: nl, nederlands
    polish: pl, polski
    swedish: sv, svenska
    japanese: ja
    korean: ko
    chinese: zh
    russian: ru
    arabic: ar
    hindi: hi
    turkish: tr
    hungarian: hu
    greek: el
    czech: cs
    danish: da
    finnish: fi
    norwegian: no
    ukrainian: uk
    """
)

CHOICES: Final = _table(
    """
    driving: drive, car, by car, auto, automobile, by automobile
    walking: walk, on foot, by foot, foot, pedestrian
    cycling: cycle, bike, by bike, biking, bicycle, by bicycle, bicycling
    transit: train, by train, bus, by bus, tram, by tram, metro, by metro, subway, public transport, by public transport, rail
    cheap: inexpensive, budget, low, low cost, low budget, affordable, cheaply priced, not expensive
    moderate: moderately priced, medium, medium priced, mid, mid range, mid priced, midrange, average
    expensive: pricey, high, high end, upscale, upmarket, fancy, luxury, fine dining, properly expensive, very expensive
    """
)

# Where well-known cities lie: such a country or state may stand beside its city, or not.
_CITIES: Final = """
usa: new york, los angeles, chicago, houston, boston, seattle, san francisco, miami, washington, denver, philadelphia, atlanta
usa: dallas, las vegas, honolulu
uk: london, manchester, edinburgh, glasgow, birmingham, liverpool, bristol, leeds, cardiff, york, belfast, cambridge, oxford
england: london, manchester, birmingham, liverpool, bristol, leeds, york, cambridge, oxford
scotland: edinburgh, glasgow, aberdeen, dundee
wales: cardiff, swansea
france: paris, lyon, marseille, toulouse, nice, bordeaux, lille, nantes, strasbourg
germany: berlin, munich, hamburg, cologne, frankfurt, stuttgart, dusseldorf, leipzig, dresden, bremen
austria: vienna, graz, salzburg, innsbruck, linz
switzerland: zurich, geneva, basel, bern, lausanne
italy: rome, milan, naples, florence, turin, venice, bologna, verona, palermo, bolzano
spain: madrid, barcelona, seville, valencia, bilbao, malaga
portugal: lisbon, porto
netherlands: amsterdam, rotterdam, utrecht
belgium: brussels, antwerp, ghent, bruges
ireland: dublin, cork, galway
denmark: copenhagen, aarhus
sweden: stockholm, gothenburg, malmo, lund, uppsala
norway: oslo, bergen, tromso, trondheim
finland: helsinki, tampere, turku
iceland: reykjavik
poland: warsaw, krakow, lodz, gdansk, wroclaw
czechia: prague, brno
czech republic: prague, brno
hungary: budapest
romania: bucharest
bulgaria: sofia
greece: athens, thessaloniki
turkey: istanbul, ankara, izmir
estonia: tallinn
latvia: riga
lithuania: vilnius
croatia: zagreb, split
slovenia: ljubljana
ukraine: kyiv, lviv
russia: moscow
egypt: cairo, alexandria
morocco: marrakesh, casablanca
kenya: nairobi
ethiopia: addis ababa
nigeria: lagos, abuja
south africa: cape town, johannesburg, durban
japan: tokyo, kyoto, osaka, sapporo, nagoya
china: beijing, shanghai, shenzhen, guangzhou
south korea: seoul, busan
korea: seoul, busan
india: mumbai, delhi, bangalore, kolkata, chennai
thailand: bangkok, chiang mai
vietnam: hanoi, da nang, ho chi minh city
laos: vientiane, luang prabang
indonesia: jakarta
philippines: manila
malaysia: kuala lumpur
australia: sydney, melbourne, brisbane, perth, canberra
new zealand: auckland, wellington, christchurch
canada: toronto, montreal, vancouver, ottawa, halifax, calgary
mexico: mexico city, guadalajara, cancun
brazil: sao paulo, rio de janeiro, recife, brasilia
argentina: buenos aires
chile: santiago
peru: lima, cusco
colombia: bogota
usa: oregon, california, texas, florida, illinois, massachusetts, maine, washington, new york
california: los angeles, san francisco, san diego
texas: austin, san antonio, houston, dallas
florida: orlando, miami
illinois: chicago
massachusetts: boston
nova scotia: halifax
tuscany: florence
bavaria: munich
"""


def _lands(lines: str) -> dict[str, frozenset[str]]:
    lands: dict[str, set[str]] = {}
    for line in lines.strip().splitlines():
        land, _, cities = line.partition(":")
        for city in cities.split(","):
            lands.setdefault(city.strip(), set()).add(land.strip())
    return {city: frozenset(found) for city, found in lands.items()}


LANDS: Final = MappingProxyType(_lands(_CITIES))

_STATES: Final = """
AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, FL Florida, GA Georgia,
HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland,
MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire,
NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania,
RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington,
WV West Virginia, WI Wisconsin, WY Wyoming
"""
STATES: Final = MappingProxyType(
    {entry[:2]: entry[3:] for entry in (part.strip() for part in _STATES.split(",")) if entry}
)

NEGATIONS: Final = word_set("not no never without nor neither none nobody nothing")

# Words that carry the sentence, not its content.
FILLER: Final = word_set(
    """
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those there
    here am is are was were be been being do does did done doing have has had having will would shall should can could may might
    must and or but so if then than as at by for from in into of off on onto out over to up with within about around between
    during through
    because since while when where which who whom whose what why how
    please kindly thank thanks hello hi hey dear sure certainly course well just also too very really quite only even still yet
    let get got go going want like need know help happy glad afraid sorry unfortunately
    one ones some any each every all both other another such same own more most much many few less least
    now today currently present presently right moment again already
    call called name named known say says said make take
    """
)
# Beside a value these say nothing more about it.
GENERIC: Final = word_set(
    """
    city town village place area district region country state road street motorway highway autobahn freeway route island
    industry sector field news headline latest recent article story restaurant food cuisine
    language price stock share ticker symbol company word term definition meaning unit degree
    solve calculate compute evaluate find work answer result problem equation expression value determine
    reminder remind remember event message subject email title body regard best kind sincerely cheer greeting
    """
)
JOINERS: Final = word_set("or and either both versus vs")
# Arguments whose value is free text; the others name one thing.
FREE_ARGUMENTS: Final = word_set(
    "event message subject title problem text topic query note description body summary content question comment details reason"
)

# What a question back can ask for: a kind of information, and the phrases that ask for it.
TOPICS: Final = _phrases(
    """
    place: city, location, place, town, area, district, region, country, neighborhood, neighbourhood, village, whereabout, where
    place: airport, locality, spot
    start: starting point, start point, starting location, start location, begin point, begin location, begin place, begin from
    start: begin out, origin, departure point, departure location, setting off, set off, setting out, set out, coming from
    start: departing from, leave from, traveling from, travelling from, from where, where from, begin address, current location
    start: route begin, drive begin, trip begin, journey begin
    end: destination, end point, ending point, end location, final stop, route end, drive end, trip end, journey end, it end
    end: to where, where to, going to, heading to, travel to, drop off, finish
    date: date, day, month, year, weekday, when
    time: time, hour, oclock, when
    check in: checkin, arrival, arrive, arriving, first night
    check out: checkout, you leave, will leave, departure date, depart, departing, leave date, last night
    duration: how long, duration, how much time, how many hour, how many night, how many day, how many minute
    duration: number of night, long will, length of stay, length of your stay
    language: language, tongue
    text: text, sentence, phrase, passage, words, paragraph, wording
    translated: should i translate, me to translate, like translated, want translated, like to translate, want to translate
    recipient: recipient, email address, who, whom, addressee, to address, address, mail address
    message: message, say, content, body, email contain, email about, contents, include in
    event: remind you of, remind you about, remind you to do, reminding you of, reminded of, reminded about, reminder for
    event: reminder about, reminder be about, reminder say, task, event, occasion
    amount: how many, how much, amount, value, number, quantity, total, figure, cost of
    unit: unit
    company: company, ticker, symbol, stock, share, maker, manufacturer, firm, brand, corporation, automaker, carmaker
    topic: topic, theme, category, interested in, interest, headline about, news about, about what, subject, subject matter
    cuisine: cuisine, food, dish, type of restaurant, kind of restaurant, kitchen
    word: word, term, expression
    problem: equation, problem, expression, formula, calculation, exercise
    route: road, route, street, highway, motorway, stretch, way
    time zone: timezone
    size: radius, diameter, circumference, width, size, dimension, how big, how wide, how large, across
    """
)
# Which kinds of information answer for which: asked for the left, one of the right will do as well.
STANDS_FOR: Final = MappingProxyType(
    {
        "place": ("place", "start", "end", "time zone"),
        "start": ("start", "place"),
        "end": ("end", "place"),
        "date": ("date", "check in", "check out"),
        "time": ("time",),
        "check in": ("check in", "date", "duration"),
        "check out": ("check out", "date", "duration"),
        "duration": ("duration",),
        "text": ("text", "word", "message"),
        "word": ("word", "text"),
        "message": ("message", "text"),
        "problem": ("problem",),
        "time zone": ("time zone", "place"),
        "amount": ("amount",),
        "route": ("route",),
        "topic": ("topic",),
    }
)

# Words that so many faults share that alone they name none.
WEAK_FAULTS: Final = word_set(
    "valid date time convert measure day month year book hotel number name set lie contain report look leave reminder"
)
# Words that say the same about what is wrong with a request.
FAULTS: Final = _table(
    """
    valid: invalid, exist, exists, existing, existent, nonexistent, real, unreal, possible, impossible, correct, incorrect
    valid: proper, improper, legitimate, wrong, malformed, unknown, unrecognized, unrecognised, recognize, recognise, allowed
    valid: acceptable, genuine, actual
    fiction: fictional, fictitious, imaginary, invented, legend, legendary, myth, mythical, story, stories, novel, book, books
    fiction: tale, fantasy, folklore, comic, comics, movie, film, series, made-up
    order: before, earlier, precede, precedes, prior, after, later, follow, follows, reversed, swapped
    mass: weight
    length: distance
    measure: measures, measurement, quantity, quantities, dimension, dimensions, incompatible, compatible, type, types, kind
    measure: kinds, different, property
    convert: converted, converting, conversion, turn, turned, change
    past: ago, passed, future, gone
    negative: positive, minus
    whole: integer, fraction, fractional, half, partial, decimal
    undefined: defined, undefinable, infinite, infinity, meaningless
    sea: ocean, water, pacific, atlantic, overseas
    earth: planet, space
    letter: letters, character, characters, alphabet, alphabetic, alphanumeric, digit, digits
    symbol: symbols, sign, signs, ticker, tickers
    divide: division, divided, dividing
    logarithm: log, logarithms
    absolute: coldest
    travel: transport, transportation, teleport, teleportation
    guest: guests, people, person, persons
    """
)
