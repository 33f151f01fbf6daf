# What ranks of the chaos run: rank.sh MARK WITNESS LINES CODE CHILDREN [stubborn]
#
# Everything it writes it notes in the folder WITNESS before, and each start as a file that must not be
# there yet in this run. Its processes can be found by MARK, in their environment or in their arguments.
mark=$1 witness=$2 lines=$3 code=$4 children=$5 stubborn=${6-}
# The directory ends in JOB/ATTEMPT/stdouterr.
segment=${AZ_BATCHAI_STDOUTERR_DIR%/*}
attempt=${segment##*/} job=${segment%/*}
job=${job##*/}
rank=${RANK:-${HOROVOD_RANK:-0}}
# Each run of the attempt has claimed a number of its own.
shopt -s nullglob
claims=("${witness%/witness}/.bai/jobs/$attempt"/claim-*)
run=1
for claim in "${claims[@]}"; do
    ((${claim##*-} <= run)) || run=${claim##*-}
done
me=$witness/$attempt.$rank.$run

set -o noclobber
{ : > "$me.start"; } 2>&- || : > "$me.again.$$"
set +o noclobber
[ -z "$stubborn" ] || trap '' TERM

exec 9<> "$witness/never" # a pipe that nobody writes to, to sleep without a process
for child in ${children//+/ }; do
    case $child in
        plain) (exec -a "$mark:$attempt" sleep 100) & ;;
        detached) setsid bash -c 'exec -a "$0" sleep 100' "$mark:$attempt" > /dev/null 2>&1 & ;;
        # It shares nothing with its job: no parent, no session, no variable, no stream.
        bare) (setsid env -i bash -c '(exec -a "$0" sleep 100) &' "$mark:$attempt" < /dev/null > /dev/null 2>&1 9>&- &) ;;
    esac
done

write() {
    printf '%s\n' "$1" >> "$me.out"
    printf '%s\n' "$1"
}

for ((line = 0; line < lines; line++)); do
    write "rank $rank of $job writes line $line in run $run"
    read -rt 0.02 -u 9
done
for ((waited = 0; waited < 400; waited++)); do
    [ ! -e "$witness/go.$job" ] || break
    read -rt 0.1 -u 9
done
write "rank $rank of $job ends with $code in run $run"
echo "$code" > "$me.exit"
exit "$code"
